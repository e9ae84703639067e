# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the programs as charts: those that charts.json lists, goals and steps of an optimisation, modes, matrices, sweeps."""
from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from .style import COLOURS, HEIGHTS, TABLE, cell, curve, label, legend, scaled, sheet


def listed(name: str, table: pd.DataFrame, title: str):
    """A chart of the list in charts.json: columns over another one, a curve per value of those that distinguish rows."""
    about = next(chart for chart in TABLE["charts"] if chart["name"] == name)
    over, columns = about["x"], about["y"]
    by = [column for column in about["by"] if column in table and table[column].nunique() > 1]
    size, unit = scaled(table[over]) if over == "frequency_hz" else (1, "")
    figure, axes = sheet()
    for number, column in enumerate(columns):
        for key, part in list(table.groupby(by, sort=False) if by else [((), table)])[:TABLE["most_curves"]]:
            if about.get("greatest"):
                part = part.groupby(over, as_index=False)[column].max()
            text = ", ".join(cell(b, value) for b, value in zip(by, key)) if len(columns) == 1 else label(column)
            curve(axes, part[over] / size, part[column], label=text or None, linestyle=["-", "--"][number % 2])
    axes.set(xlabel=f"frequency ({unit})" if unit else label(over), ylabel=label(columns[0]) if len(columns) == 1 else about["y_label"],
             yscale="log" if about.get("log") else "linear", title=f"{about['title']}, {title}" if title else about["title"])
    if over == "unknowns" and table[over].max() > 10 * table[over].min():
        axes.set_xscale("log")
    legend(axes)
    return figure


passes = partial(listed, "passes")


def goals(table: pd.DataFrame, title: str):
    """The quantities of the goals, before and after, with the limits as a mask."""
    kinds = list(table.groupby(["quantity", "unit"], sort=False))
    figure, panels = sheet(1, len(kinds), (5.6 * len(kinds) + 1.6, 4.4), squeeze=False)
    for axes, ((quantity, unit), part) in zip(panels[0], kinds):
        part = part.sort_values("frequency_hz")
        size, name = scaled(part.frequency_hz)
        f = part.frequency_hz / size
        for number, which in enumerate(("start", "best")):
            curve(axes, f, part[which], color=COLOURS[1 - number], linestyle=["--", "-"][number], label=which)
        for _, goal in part.groupby("goal"):
            ends = np.array([goal.frequency_hz.min(), goal.frequency_hz.max()]) / size
            ends = ends + np.array([-1, 1]) * (0.01 * np.ptp(f) or 0.01 * ends.mean())
            for limit, beyond in (("below", 1), ("above", -1)):
                if np.isfinite(value := goal[limit].iloc[0]):
                    reach = beyond * max(0.15 * np.ptp(part[["start", "best"]].values), 1e-3 * abs(value))
                    axes.fill_between(ends, value, value + reach, hatch="//", facecolor="0.9", edgecolor="0.6", linewidth=0)
                    axes.plot(ends, [value, value], color="k", linewidth=1)
        axes.set(xlabel=f"frequency ({name})", ylabel=f"{quantity} ({unit})")
    legend(panels[0][-1])
    figure.suptitle(title)
    return figure


def steps(table: pd.DataFrame, title: str):
    """Convergence of an optimisation: the worst miss of a limit, and the parameters relative to their start."""
    figure, (above, below) = sheet(2, 1, (7.2, 6.4), sharex=True)
    worst = table.groupby("evaluation").worst_excess.max()
    curve(above, worst.index, worst, marker="o")
    curve(above, worst.index, worst.cummin(), linestyle="--", label="best so far")
    above.set(ylabel=label("worst_excess"), title=title)
    above.axhline(0, color="k", linewidth=0.8)
    for name in [what for what in table.what.unique() if "Hz" not in what]:
        values = table[table.what == name].set_index("evaluation")["value"].apply(np.real)
        curve(below, values.index, values / values.iloc[0], marker="o", label=name.split(".")[-1])
    below.set(xlabel=label("evaluation"), ylabel="parameter over its start")
    below.xaxis.get_major_locator().set_params(integer=True)
    legend(above)
    legend(below)
    return figure


def modes(found: list[dict], bars: list[dict], title: str):
    """Resonances with their quality factors; lossless ones at the bottom, without a value."""
    figure, axes = sheet()
    f = np.array([mode["frequency_hz"] for mode in found])
    q = np.array([mode.get("q") or np.nan for mode in found], float)
    size, name = scaled(f)
    shown = np.where(np.isfinite(q), q, 1.0)
    error = {bar["frequency_hz"]: bar.get("frequency_error_hz", np.nan) for bar in bars}
    axes.errorbar(f / size, shown, xerr=[error.get(value, np.nan) / size for value in f], fmt="o", capsize=4)
    axes.vlines(f / size, 0, shown, linewidth=1.2)
    for number, (x, y) in enumerate(zip(f / size, shown), 1):
        axes.annotate(f"{number}", (x, y), xytext=(0, 7 + 11 * (number % 2)), textcoords="offset points", ha="center", fontsize=9)
    axes.set(xlabel=f"frequency ({name}), with bars", ylabel="quality factor" if np.isfinite(q).any() else "no losses", title=title)
    axes.set_ylim(0, 1.2 * shown.max())
    return figure


def matrix(table: pd.DataFrame, title: str):
    """Pattern of a matrix: logarithm of the number of entries in each tile."""
    rows, columns = np.unique(table.row), np.unique(table.column)
    edges = np.unique(np.concatenate([rows, columns]))
    tiles = np.full((len(edges), len(edges)), np.nan)
    tiles[np.searchsorted(edges, table.row), np.searchsorted(edges, table.column)] = table.entries
    figure, axes = sheet(size=(6.6, 5.6))
    end = edges[-1] + (edges[1] - edges[0] if len(edges) > 1 else 1)
    image = axes.imshow(np.log10(tiles), extent=(0, end, end, 0), cmap=HEIGHTS, interpolation="nearest")
    axes.grid(False)
    axes.set(xlabel="column", ylabel="row", title=title)
    figure.colorbar(image, ax=axes, label="log10 of the entries in a tile")
    return figure


def swept(numbers, title: str):
    """Main numbers of a sweep over its first key, a line for each value of the others. numbers: Sweep.dataset("sweep.csv")"""
    keys = list(numbers.dims)
    names = [n for n in numbers if np.issubdtype(numbers[n].dtype, np.number) and not any(word in n for word in TABLE["judging"])
             and np.ptp(numbers[n].values) > 0]
    if not names or any(not np.issubdtype(numbers[key].dtype, np.number) for key in keys[:1]) or len(numbers[keys[0]]) < 2:
        return None
    names = names[:6]
    figure, panels = sheet(-(-len(names) // 2), min(2, len(names)), (10, 3.2 * -(-len(names) // 2) + 0.6), squeeze=False)
    for axes, name in zip(panels.flat, names):
        lines = numbers[name].stack(line=keys[1:]) if keys[1:] else numbers[name].expand_dims("line").transpose(..., "line")
        for number in range(lines.shape[1]):
            text = ", ".join(f"{k.split('.')[-1]} {lines[k].values[number]:g}" for k in keys[1:]) if keys[1:] else None
            curve(axes, numbers[keys[0]], lines[:, number], label=text)
        axes.set(xlabel=keys[0].split(".")[-1], ylabel=name)
    for axes in panels.flat[len(names):]:
        axes.set_axis_off()
    legend(panels.flat[len(names) - 1])
    figure.suptitle(title)
    return figure
