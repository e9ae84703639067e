# SPDX-License-Identifier: BSD-3-Clause
"""Results that report.html shows only as tables: resonances, and the pattern of a matrix."""
from __future__ import annotations

import numpy as np
import pandas as pd

from .style import HEIGHTS, scaled, sheet


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
    if not np.isfinite(q).any():
        axes.set_yticks([])
    return figure


def matrix(table: pd.DataFrame, title: str):
    """Pattern of a matrix: logarithm of the number of entries in each tile."""
    rows, columns = np.unique(table.row), np.unique(table.column)
    edges = np.unique(np.concatenate([rows, columns]))
    tiles = np.full((len(edges), len(edges)), np.nan)
    tiles[np.searchsorted(edges, table.row), np.searchsorted(edges, table.column)] = table.entries
    figure, axes = sheet((6.6, 5.6))
    end = edges[-1] + (edges[1] - edges[0] if len(edges) > 1 else 1)
    image = axes.imshow(np.log10(tiles), extent=(0, end, end, 0), cmap=HEIGHTS, interpolation="nearest")
    axes.grid(False)
    axes.set(xlabel="column", ylabel="row", title=title)
    figure.colorbar(image, ax=axes, label="log10 of the entries in a tile")
    return figure
