# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the programs as charts: passes, goals and steps of an optimisation, modes, probes, currents, matrices, sweeps."""
from __future__ import annotations

import numpy as np
import pandas as pd

from .style import COLOURS, MAP, curve, in_steps, legend, scaled, sheet

# Numbers of a sweep that judge a run and are no result of it.
JUDGING = ("adaptive_error_estimate", "full_solutions", "longest_edge", "passivity", "power_balance", "reciprocity", "error_max",
           "condition", "modes_complete", "residual", "refinement", "absorbed_share")


def passes(table: pd.DataFrame, title: str):
    """How an adaptive run converges: greatest change and estimated error over unknowns."""
    most = table.groupby("pass")[["unknowns", "change", "estimated_error"]].max()
    figure, axes = sheet()
    curve(axes, most.unknowns, most.change, label="change since the pass before")
    curve(axes, most.unknowns, most.estimated_error, linestyle="--", label="estimated error")
    scale = "log" if most.unknowns.max() > 10 * most.unknowns.min() else "linear"
    axes.set(xscale=scale, yscale="log", xlabel="unknowns", ylabel="greatest over the quantities", title=title)
    legend(axes)
    return figure


def goals(table: pd.DataFrame, title: str):
    """What the goals look at, before and after, with the limits as a mask."""
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
    above.set(ylabel="worst miss of a limit", title=title)
    above.axhline(0, color="k", linewidth=0.8)
    for name in [what for what in table.what.unique() if "Hz" not in what]:
        values = table[table.what == name].set_index("evaluation")["value"].apply(np.real)
        curve(below, values.index, values / values.iloc[0], marker="o", label=name.split(".")[-1])
    below.set(xlabel="evaluation", ylabel="parameter over its start")
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


def probes(table: pd.DataFrame, title: str):
    """Sound pressure levels over frequency."""
    figure, axes = sheet()
    size, unit = scaled(table.frequency_hz)
    for name, part in table.groupby("probe", sort=False):
        curve(axes, part.frequency_hz / size, part.level_db, label=name)
    axes.set(xlabel=f"frequency ({unit})", ylabel="level (dB re 20 µPa)", title=title)
    legend(axes)
    return figure


def contour_currents(table: pd.DataFrame, title: str):
    """Surface currents of mom2d along each contour."""
    figure, axes = sheet()
    for (frequency, incidence, contour), part in list(table.groupby(["frequency_hz", "phi_inc_deg", "contour"], sort=False))[:8]:
        curve(axes, part.s_m, 1e3 * part.abs_j_a_per_m, label=f"{contour}, {in_steps(frequency)} from {incidence:g}°")
    axes.set(xlabel="arc length (m)", ylabel="surface current (mA/m) at 1 V/m", title=title)
    legend(axes)
    return figure


def matrix(table: pd.DataFrame, title: str):
    """Where the entries of a matrix lie: logarithm of their number in each tile."""
    rows, columns = np.unique(table.row), np.unique(table.column)
    edges = np.unique(np.concatenate([rows, columns]))
    tiles = np.full((len(edges), len(edges)), np.nan)
    tiles[np.searchsorted(edges, table.row), np.searchsorted(edges, table.column)] = table.entries
    figure, axes = sheet(size=(6.6, 5.6))
    end = edges[-1] + (edges[1] - edges[0] if len(edges) > 1 else 1)
    image = axes.imshow(np.log10(tiles), extent=(0, end, end, 0), cmap="viridis", interpolation="nearest")
    axes.grid(False)
    axes.set(xlabel="column", ylabel="row", title=title)
    figure.colorbar(image, ax=axes, label="log10 of the entries in a tile")
    return figure


def swept(numbers, title: str):
    """Main numbers of a sweep over its first key, a line for each value of the others. numbers: Sweep.dataset("sweep.csv")"""
    keys = list(numbers.dims)
    names = [n for n in numbers if np.issubdtype(numbers[n].dtype, np.number) and not any(word in n for word in JUDGING)
             and not n.endswith("_error") and np.ptp(numbers[n].values) > 0]
    if not names or any(not np.issubdtype(numbers[key].dtype, np.number) for key in keys[:1]) or len(numbers[keys[0]]) < 2:
        return None
    names = names[:6]
    figure, panels = sheet(-(-len(names) // 2), min(2, len(names)), (10, 3.2 * -(-len(names) // 2) + 0.6), squeeze=False)
    for axes, name in zip(panels.flat, names):
        lines = numbers[name].stack(line=keys[1:]) if keys[1:] else numbers[name].expand_dims("line").transpose(..., "line")
        for number in range(lines.shape[1]):
            label = ", ".join(f"{k.split('.')[-1]} {lines[k].values[number]:g}" for k in keys[1:]) if keys[1:] else None
            curve(axes, numbers[keys[0]], lines[:, number], label=label)
        axes.set(xlabel=keys[0].split(".")[-1], ylabel=name)
    for axes in panels.flat[len(names):]:
        axes.set_axis_off()
    legend(panels.flat[len(names) - 1])
    figure.suptitle(title)
    return figure
