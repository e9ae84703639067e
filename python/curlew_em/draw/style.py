# SPDX-License-Identifier: BSD-3-Clause
"""Shared by all charts: sizes, colours, labels, error bars."""
from __future__ import annotations

import json
import pathlib

import matplotlib
import numpy as np
from matplotlib.figure import Figure

# What the pictures have in common with report.html: colours, maps, labels and ranges of quantities, charts of tables.
TABLE = json.loads((pathlib.Path(__file__).parent.parent / "charts.json").read_text())
COLOURS, FEW = TABLE["colours"], TABLE["few"]  # points of a curve that get markers
MAP, SIGNED, HEIGHTS = (TABLE["maps"][kind]["name"] for kind in ("size", "signed", "pattern"))
matplotlib.rcParams.update({
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS), "axes.grid": True, "grid.alpha": 0.35, "font.size": 11,
    "axes.titlesize": 11, "legend.fontsize": 10, "lines.linewidth": 1.8, "figure.constrained_layout.use": True,
    "savefig.dpi": 130, "svg.fonttype": "none", "axes.spines.top": False, "axes.spines.right": False})


def label(quantity: str) -> str:
    """A quantity's label with its unit; one that is not in the table is its own label.

    >>> label("rcs_dbsm"), label("s2_1_db_max")
    ('radar cross-section (dBsm)', 's2_1_db_max')
    """
    return TABLE["quantities"].get(quantity, {}).get("label", quantity)


def cell(column: str, value) -> str:
    """A cell as the name of a curve: frequencies with their unit, angles with theirs, polarizations as VV and HH.

    >>> cell("frequency_hz", 2.45e9), cell("phi_inc_deg", 30.0), cell("polarization", "theta")
    ('2.45 GHz', 'phi of the wave 30°', 'VV')
    """
    if column == "frequency_hz":
        return in_steps(value)
    if column.endswith("_deg"):
        return f"{column[:-4].replace('_inc', ' of the wave')} {value:g}°"
    return TABLE["waves"].get(value, value) if column == "polarization" else f"{value}"


def sheet(rows: int = 1, columns: int = 1, size: tuple[float, float] = (7.2, 4.4), **options):
    """A figure without a window, and its axes."""
    figure = Figure(figsize=size)
    return figure, figure.subplots(rows, columns, **options)


def curve(axes, x, y, bars=None, **options):
    """A line; few points have markers, one point can be seen. bars: half widths, or (down, up), like y; NaN for none"""
    x, y = np.asarray(x, float), np.asarray(y, float)
    if len(x) <= FEW:
        options = {"marker": "o", "markersize": 5, **options}
    line, = axes.plot(x, y, **options)
    if bars is not None and np.isfinite(bars).any():
        low, high = np.broadcast_to(bars, (2, len(y))) if np.ndim(bars) < 2 else bars
        if len(x) > FEW:
            axes.fill_between(x, y - low, y + high, color=line.get_color(), alpha=0.2, linewidth=0)
        else:
            axes.errorbar(x, y, [low, high], fmt="none", ecolor=line.get_color(), capsize=4)
    return line


def legend(axes, most: int = 12):
    """Inside where it fits, beside the axes where there are many lines, none for a single nameless one."""
    count = len(axes.get_legend_handles_labels()[1])
    if count > 6:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), ncols=1 + (count - 1) // most)
    elif count:
        axes.legend(loc="best", framealpha=0.85)


def in_steps(frequency: float) -> str:
    """A frequency with its prefix; small values are numbers of modes or excitations.

    >>> in_steps(8.75e9), in_steps(40.0), in_steps(2.0)
    ('8.75 GHz', '40 Hz', 'step 2')
    """
    size, unit = scaled(frequency)
    return f"{frequency / size:.6g} {unit}" if frequency >= 20 else f"step {frequency:.6g}"


def scaled(values) -> tuple[float, str]:
    """(size, unit) in which frequencies are drawn."""
    largest = np.max(np.abs(values))
    return next(((size, unit) for size, unit in ((1e12, "THz"), (1e9, "GHz"), (1e6, "MHz"), (1e3, "kHz")) if largest >= size),
                (1.0, "Hz"))


def decibels(values, floor: float = 1e-15):
    return 20 * np.log10(np.maximum(np.abs(values), floor))
