# SPDX-License-Identifier: BSD-3-Clause
"""Charts of report.html as pictures. What is in them is chosen there, once for both; Touchstone files are drawn by scikit-rf."""
from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

import matplotlib
import numpy as np
import skrf
from matplotlib.figure import Figure

from ..results import Result
from .style import COLOURS, FEW, HEIGHTS, TABLE, legend, scaled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PANELS = 6


def charts_of(result: Result) -> dict[str, list[dict]]:
    """{name of a picture: its charts} in the report.html of a folder; nothing without one. A chart is what
    src/report/chart.cpp writes."""
    page = result.folder / "report.html"
    found: dict[str, list[dict]] = {}
    for text in re.findall(r'class="chart">(.*?)</script>', page.read_text() if page.exists() else "", re.DOTALL):
        chart = json.loads(text)
        if chart["picture"]:
            found.setdefault(chart["picture"], []).append(chart)
    return found


def compared(runs: dict[str, dict[str, list[dict]]]) -> dict[str, list[dict]]:
    """The same of several runs: a chart for each curve of the first run's, with a curve for each run that has it.

    runs: {name: charts_of(run)}
    """
    made: dict[str, list[dict]] = {}
    for picture, charts in next(iter(runs.values())).items():
        for chart in charts:
            for curve in chart["curves"]:
                same = [_of_run(name, other, each, chart) for name, page in runs.items() for other in page.get(picture, [])
                        if (other["kind"], other["y"]) == (chart["kind"], chart["y"])
                        for each in other["curves"] if each["name"].split(" = ")[0] == curve["name"].split(" = ")[0]]
                title = ", ".join(text for text in (chart["title"], curve["name"]) if text)
                made.setdefault(picture, []).append(chart | {"title": title, "curves": same})
    return made


def _of_run(name: str, chart: dict, curve: dict, first: dict) -> dict:
    """A curve under the name of its run, in the frequency unit of the first one."""
    x = _numbers(curve["x"]) * (chart["x_size"] / first["x_size"])
    return {key: value for key, value in curve.items() if key not in ("colour", "dash")} | {"name": name, "x": x}


def draw(charts: list[dict], title: str) -> Figure:
    """A panel for each of the first charts."""
    charts = charts[:MOST_PANELS]
    columns = min(2, len(charts))
    rows = math.ceil(len(charts) / columns)
    figure = Figure(figsize=(7.2, 4.4) if columns == 1 else (11.5, 4.6 * rows))
    kinds = {"line": line, "polar": polar, "smith": smith}
    for place, chart in enumerate(charts, 1):
        axes = figure.add_subplot(rows, columns, place, projection="polar" if chart["kind"] == "polar" else None)
        kinds[chart["kind"]](axes, chart)
        axes.set_title(chart["title"], wrap=True)
        if chart["kind"] != "polar":  # whose curves are beside it in the same colours
            legend(axes)
    figure.suptitle(title)
    return figure


def _numbers(values) -> np.ndarray:
    return np.array(values, float)  # null is NaN


def styles(chart: dict) -> list[dict]:
    """Of its curves: the colours of the table, or of a family shades in their order."""
    count = len(chart["curves"])
    shades = matplotlib.colormaps[HEIGHTS](np.linspace(0, 0.92, count)) if chart["family"] or count > len(COLOURS) else COLOURS
    return [{"color": shades[curve.get("colour", number)], "linestyle": "--" if curve.get("dash") else "-", "label": curve["name"] or None}
            for number, curve in enumerate(chart["curves"])]


def line(axes: Axes, chart: dict) -> None:
    """Lines with markers at few computed points, with bars or, of many points, bands; limits of goals are hatched."""
    for curve, style in zip(chart["curves"], styles(chart)):
        x, y = _numbers(curve["x"]), _numbers(curve["y"])
        goes_round = 1 + np.flatnonzero(np.abs(np.diff(y)) > 180) if chart["range"] == [-180, 180] else []
        axes.plot(np.insert(x, goes_round, np.nan), np.insert(y, goes_round, np.nan), **style)
        computed = curve.get("points", slice(None))
        x, y = x[computed], y[computed]
        if len(x) <= FEW:
            axes.plot(x, y, "o", color=style["color"], markersize=5)
        if "high" in curve:
            low, high = _numbers(curve["low"])[computed], _numbers(curve["high"])[computed]
            if len(x) <= FEW:
                axes.errorbar(x, y, [y - low, high - y], fmt="none", ecolor=style["color"], capsize=4)
            else:
                axes.fill_between(x, low, high, color=style["color"], alpha=0.2, linewidth=0)
    axes.set(xlabel=chart["x"], ylabel=chart["y"], yscale="log" if chart["log"] else "linear")
    for start, end, limit, beyond in chart["masks"]:
        reach = limit + beyond * max(0.15 * np.ptp(axes.dataLim.intervaly), 1e-3 * abs(limit))
        axes.fill_between([start, end], limit, reach, hatch="//", facecolor="0.9", edgecolor="0.6", linewidth=0)
        axes.hlines(limit, start, end, color="k", linewidth=1)
    _limits(axes, chart)


def _limits(axes: Axes, chart: dict) -> None:
    """All of what is shallow, the upper part of what is deep, and no more than the range of the quantity."""
    low, high = axes.dataLim.intervaly
    if chart["depth"]:
        low = max(low, high - chart["depth"])
        axes.set_ylim(low - 1, high + max(1, 0.04 * (high - low)))
    if chart["range"]:
        axes.set_ylim(max(chart["range"][0], low - 0.05 * (high - low)), min(chart["range"][1], high + 0.05 * (high - low)))
    if chart["range"] == [-180, 180]:
        axes.set(ylim=(-180, 180), yticks=range(-180, 181, 60))
    if all(float(value).is_integer() for curve in chart["curves"] for value in curve["x"]):
        axes.xaxis.get_major_locator().set_params(integer=True)


def polar(axes: Axes, chart: dict) -> None:
    """Decibels over degrees, 0 up."""
    top = 5 * np.ceil(max(np.nanmax(_numbers(curve["y"])) for curve in chart["curves"]) / 5)
    least = top - chart["depth"]
    for curve, style in zip(chart["curves"], styles(chart)):
        axes.plot(np.radians(_numbers(curve["x"])), np.maximum(_numbers(curve["y"]), least), **style)
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.set(rlim=(least, top), rticks=np.arange(least + 10, top + 1, 10))
    axes.set_rlabel_position(112)


def smith(axes: Axes, chart: dict) -> None:
    """Reflections on scikit-rf's chart, with a ring at the lowest frequency."""
    skrf.plotting.smith(ax=axes, draw_labels=True)
    for circle in axes.patches:
        circle.set_edgecolor("0.75")
    for curve, style in zip(chart["curves"], styles(chart)):
        axes.plot(curve["re"], curve["im"], **style)
        axes.plot(curve["re"][0], curve["im"][0], "o", color=style["color"], markerfacecolor="white")


def touchstone(network: skrf.Network, title: str) -> Figure:
    """S of a file of any program: the greatest entries, of a reciprocal network those on one side of the diagonal."""
    network.frequency.unit = scaled(network.f)[1]
    greatest = np.abs(network.s).max(axis=0)
    entries = [(i, j) for i, j in np.ndindex(greatest.shape) if j <= i or not network.is_reciprocal(1e-3)]
    figure = Figure(figsize=(11.5, 9.2))
    level, phase, ratio, reflection = figure.subplots(2, 2).flat
    for i, j in sorted(entries, key=lambda entry: -greatest[entry])[:TABLE["most_curves"]]:
        network.plot_s_db(i, j, ax=level)
        network.plot_s_deg(i, j, ax=phase)
        if i == j:
            network.plot_s_vswr(i, j, ax=ratio)
            network.plot_s_smith(i, j, ax=reflection, draw_labels=True)
    ratio.set_ylim(TABLE["quantities"]["vswr"]["range"])
    figure.suptitle(title)
    return figure
