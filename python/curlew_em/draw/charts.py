# SPDX-License-Identifier: BSD-3-Clause
"""Charts of report.html as pictures: the page chooses their contents. Touchstone files have charts like those of S."""
from __future__ import annotations

import json
import math
import pathlib
import re
from typing import TYPE_CHECKING

import matplotlib
import numpy as np
import skrf
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from ..results import Result, Touchstone
from .style import COLOURS, FEW, HEIGHTS, TABLE, label, legend, scaled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PANELS = 6
SMALL, ALIKE = 1e-4, 0.02  # of S, as in src/report/scattering.cpp


def figures_of(folder: pathlib.Path, kind: str) -> list[dict]:
    """Data of the figures of a kind ("chart", "body") in the report.html of a folder; nothing without one."""
    page = folder / "report.html"
    return [json.loads(text) for text in re.findall(rf'class="{kind}">(.*?)</script>', page.read_text() if page.exists() else "", re.DOTALL)]


def charts_of(result: Result, frequency: float | None = None) -> dict[str, list[dict]]:
    """{name of a picture: its charts}, as src/report/chart.cpp writes them: those in the report.html of a folder, nothing without one,
    and of a Touchstone file those of its network. Of patterns at several frequencies the one nearest to `frequency` [Hz], else the first."""
    if isinstance(result, Touchstone):
        return of_network(result.network())
    found: dict[str, list[dict]] = {}
    for chart in figures_of(result.folder, "chart"):
        if chart.get("picture"):  # pages of older versions have no names of pictures
            found.setdefault(chart["picture"], []).append(chart)
    for name, charts in found.items():
        if there := [chart["frequency_hz"] for chart in charts if "frequency_hz" in chart]:
            at = there[0] if frequency is None else min(there, key=lambda f: abs(f - frequency))
            found[name] = [chart for chart in charts if chart.get("frequency_hz", at) == at]
    return found


def of_network(network: skrf.Network) -> dict[str, list[dict]]:
    """Charts of S as in src/report/scattering.cpp: the greatest entries; equal ones share a curve."""
    greatest, f = np.abs(network.s).max(axis=0), network.f
    size, unit = scaled(f)
    groups: list[list[tuple[int, int]]] = []
    for entry in sorted(np.ndindex(greatest.shape), key=lambda e: (-round(1e3 * greatest[e]), e)):
        if groups and greatest[entry] < SMALL:
            continue
        of = lambda e: np.abs(network.s[:, e[0], e[1]])
        same = (group for group in groups if np.max(np.abs(of(group[0]) - of(entry))) <= ALIKE * max(greatest[entry], greatest[group[0]]))
        found = next(same, None)
        found.append(entry) if found else groups.append([entry])
    chart = lambda picture, title, quantity, kind="line": {
        "picture": picture, "kind": kind, "title": title, "x": f"frequency ({unit})", "x_size": size, "y": label(quantity), "depth": None,
        "range": None, "log": False, "family": False, "masks": [], "curves": []} | TABLE["quantities"].get(quantity, {})
    level, smith = chart("s", "S-parameters", "s_db"), chart("s_details", "Smith chart; ring: lowest frequency", "", "smith")
    phase, delay, ratio = (chart("s_details", *about) for about in (("Phase", "phase_deg"), ("Group delay", "group_delay_ns"),
                                                                    ("Standing wave ratio", "vswr")))
    comma = "," if len(network.s[0]) > 9 else ""
    for colour, group in enumerate(sorted(group) for group in groups[:TABLE["most_curves"]]):
        i, j = group[0]
        curve = {"name": " = ".join(f"S{a + 1}{comma}{b + 1}" for a, b in group[:4]) + " = ..." * (len(group) > 4), "x": f / size, "colour": colour}
        level["curves"].append(curve | {"y": network.s_db[:, i, j]})
        phase["curves"].append(curve | {"y": network.s_deg[:, i, j]})
        if i == j:
            smith["curves"].append(curve | {"re": network.s_re[:, i, j], "im": network.s_im[:, i, j]})
            ratio["curves"].append(curve | {"y": network.s_vswr[:, i, j]})
        elif len(f) > 2:
            delay["curves"].append(curve | {"y": -np.gradient(network.s_rad_unwrap[:, i, j], 2e-9 * np.pi * f)})
    return {"s": [level], "s_details": [drawn for drawn in (smith, phase, delay, ratio) if drawn["curves"]]}


def compared(runs: dict[str, dict[str, list[dict]]]) -> dict[str, list[dict]]:
    """The same of several runs: a chart for each curve of the first run's, with a curve for each run that has it. runs: {name: charts_of(run)}"""
    made: dict[str, list[dict]] = {}
    for picture, charts in next(iter(runs.values())).items():
        for chart in charts:
            for curve in chart["curves"]:
                same = [_of_run(name, other, each, chart) | {"dash": number % 2 == 1}
                        for number, (name, page) in enumerate(runs.items()) for other in page.get(picture, [])
                        if (other["kind"], other["y"]) == (chart["kind"], chart["y"])
                        for each in other["curves"] if curve["name"].split(" = ")[0] in each["name"].split(" = ")]
                title = ", ".join(text for text in (chart["title"], curve["name"]) if text)
                made.setdefault(picture, []).append(chart | {"title": title, "curves": same})
    return made


def _of_run(name: str, chart: dict, curve: dict, first: dict) -> dict:
    """A curve under the name of its run, in the frequency unit of the first one."""
    x = _numbers(curve["x"]) * (chart["x_size"] / first["x_size"])
    return {key: value for key, value in curve.items() if key not in ("colour", "dash")} | {"name": name, "x": x}


def draw(charts: list[dict], title: str) -> Figure:
    """A panel for each of the first charts."""
    charts = [chart | {"curves": [curve for curve in chart["curves"] if len(curve["x"])]} for chart in charts[:MOST_PANELS]]
    columns = min(2, len(charts))
    rows = math.ceil(len(charts) / columns)
    figure = Figure(figsize=(7.2, 4.4) if columns == 1 else (11.5, 4.6 * rows))
    kinds = {"line": line, "polar": polar, "smith": smith}
    for place, chart in enumerate(charts, 1):
        axes = figure.add_subplot(rows, columns, place, projection="polar" if chart["kind"] == "polar" else None)
        kinds[chart["kind"]](axes, chart)
        axes.set_title(", ".join(text for text in (chart["title"], title if len(charts) == 1 else "") if text), wrap=True)
        if chart["kind"] != "polar":  # whose curves are beside it in the same colours
            legend(axes)
    figure.suptitle(title if len(charts) > 1 else "")
    return figure


def _numbers(values) -> np.ndarray:
    return np.array(values, float)  # null is NaN


def styles(chart: dict) -> list[dict]:
    """Colours of its curves: those of the table, or for a family shades in their order."""
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
        at = curve.get("points", slice(None))  # those computed, where the curve has more between
        few = len(x[at]) <= FEW
        if few:
            axes.plot(x[at], y[at], "o", color=style["color"], markersize=5)
        if "high" in curve:
            low, high = _numbers(curve["low"]), _numbers(curve["high"])
            if few:
                axes.errorbar(x[at], y[at], [(y - low)[at], (high - y)[at]], fmt="none", ecolor=style["color"], capsize=4)
            else:
                axes.fill_between(x, low, high, color=style["color"], alpha=0.2, linewidth=0)
    if names := chart.get("names"):
        axes.set_xticks(range(1, len(names) + 1), names)
    axes.set(xlabel=chart["x"], ylabel=chart["y"], yscale="log" if chart["log"] else "linear")
    for start, end, limit, beyond in chart["masks"]:
        reach = limit + beyond * max(0.15 * np.ptp(axes.dataLim.intervaly), 1e-3 * abs(limit))
        axes.fill_between([start, end], limit, reach, hatch="//", facecolor="0.9", edgecolor="0.6", linewidth=0)
        axes.hlines(limit, start, end, color="k", linewidth=1)
    _limits(axes, chart)


def _limits(axes: Axes, chart: dict) -> None:
    """Limits of the axis: all of a small range, the upper part of a large one, within the range of the quantity."""
    low, high = axes.dataLim.intervaly
    if chart["depth"]:
        top = chart.get("top_of_bars")
        if top is not None and not any((_numbers(curve["y"]) > top + 0.05).any() for curve in chart["curves"]):
            high = min(high, top)
        low = max(low, high - chart["depth"])
        axes.set_ylim(low - 1, high + max(1, 0.04 * (high - low)))
    if chart["range"] and chart["log"]:
        axes.set_ylim(low / 1.2, 1.2 * min(chart["range"][1], high))
    elif chart["range"]:
        low, high = max(chart["range"][0], low), min(chart["range"][1], high)
        margin = 0.05 * (high - low)
        axes.set_ylim(low - margin, high + margin)  # markers at the ends are seen whole
    if chart["range"] == [-180, 180]:
        axes.set(ylim=(-180, 180), yticks=range(-180, 181, 60))
    span = np.ptp(axes.dataLim.intervalx)
    if chart["x"].endswith("(degrees)") and span > 60:
        axes.xaxis.set_major_locator(MultipleLocator(15 if span <= 100 else 30 if span <= 200 else 60))
    elif not chart.get("names") and all(float(value).is_integer() for curve in chart["curves"] for value in curve["x"]):
        axes.xaxis.get_major_locator().set_params(integer=True)


def polar(axes: Axes, chart: dict) -> None:
    """Decibels over degrees, 0 up."""
    top = 5 * np.ceil(max(np.nanmax(_numbers(curve["y"])) for curve in chart["curves"]) / 5)
    least = top - chart["depth"]
    for curve, style in zip(chart["curves"], styles(chart)):
        axes.plot(np.radians(_numbers(curve["x"])), np.maximum(_numbers(curve["y"]), least), **style)
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.set_thetagrids(range(0, 360, 30), [f"{angle if angle <= 180 else angle - 360}°" for angle in range(0, 360, 30)])
    axes.set(rlim=(least, top), rticks=np.arange(least + 10, top + 1, 10))
    axes.set_rlabel_position(112)


def smith(axes: Axes, chart: dict) -> None:
    """Reflections on scikit-rf's chart, with a ring at the lowest frequency."""
    skrf.plotting.smith(ax=axes, draw_labels=True)
    for circle in axes.patches:
        circle.set_edgecolor("0.75")
    for curve, style in zip(chart["curves"], styles(chart)):
        re, im, at = _numbers(curve["re"]), _numbers(curve["im"]), curve.get("points", slice(None))
        axes.plot(re, im, **style)
        if len(re[at]) <= FEW:
            axes.plot(re[at], im[at], ".", color=style["color"])
        axes.plot(re[0], im[0], "o", color=style["color"], markerfacecolor="white")
