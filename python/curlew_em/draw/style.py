# SPDX-License-Identifier: BSD-3-Clause
"""Shared by all pictures: sizes, colours, labels."""
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


def sheet(size: tuple[float, float] = (7.2, 4.4)):
    """A figure without a window, and its axes."""
    figure = Figure(figsize=size)
    return figure, figure.subplots()


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
