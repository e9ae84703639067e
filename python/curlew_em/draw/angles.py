# SPDX-License-Identifier: BSD-3-Clause
"""Results over angles: patterns of antennas, radar cross-sections, echo widths."""
from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..results import CurlewError
from .style import TABLE, cell, curve, in_steps, label, legend, sheet

ALIKE = 0.01  # dB


def one_pattern(table: pd.DataFrame, frequency: float | None = None) -> tuple[str, float, dict[str, pd.DataFrame]]:
    """The first quantity of TABLE["pattern"] that a farfield.csv has, the frequency [Hz] nearest to that asked for, else that of the greatest value,
    and {source: theta over phi} there; of a combined excitation this alone. @raises CurlewError without such a column"""
    quantity = next((name for name in TABLE["pattern"] if name in table), None)
    if quantity is None:
        raise CurlewError(f"a far field has one of the columns {', '.join(TABLE['pattern'])}")
    there = table.frequency_hz.unique()
    best = table.frequency_hz.iloc[np.nanargmax(table[quantity])] if frequency is None else there[np.abs(there - frequency).argmin()]
    table = table[table.frequency_hz == best]
    if "combined" in set(table.port):
        table = table[table.port == "combined"]
    return quantity, best, {name: part.pivot_table(index="theta_deg", columns="phi_deg", values=quantity)
                            for name, part in table.groupby("port", sort=False)}


def cuts(grid: pd.DataFrame) -> dict[str, pd.Series]:
    """Cuts of a table (theta, phi) through its maximum: over theta, with negative theta on the far side of the axis, and
    over phi. A table of few phi has a cut at each.

    >>> grid = pd.DataFrame([[3., 3], [1, 2]], index=[0., 90], columns=[0., 180])
    >>> {name: list(cut.index) for name, cut in cuts(grid).items()}
    {'phi 0°': [-90.0, 0.0, 90.0]}
    """
    # The first of what is as great but for the error of a mesh: round about it stays the same cut.
    theta, phi = divmod(int(np.flatnonzero(grid.values >= np.nanmax(grid.values) - ALIKE)[0]), grid.shape[1])
    found = {}
    if len(grid.index) > 1:
        few = grid.shape[1] <= 4
        for at in [p for p in grid.columns if p < 180 or p - 180 not in grid] if few else [grid.columns[phi] % 180]:
            along = grid[at if at in grid else at + 180]
            behind = grid.get(at + 180 if at in grid else None)
            if behind is not None:
                behind = behind[behind.index > 0]
                along = pd.concat([behind.set_axis(-behind.index), along]).sort_index()
            found[f"phi {at:g}°"] = along
    if grid.shape[1] > 4:
        around = grid.iloc[theta]
        if around.index.min() >= 0 and around.index.max() > 180:  # like the cuts over theta from -180 to 180 degrees
            around = around[around.index < 360]
            around = around.set_axis(np.where(around.index > 180, around.index - 360, around.index)).sort_index()
        found[f"theta {grid.index[theta]:g}°"] = around
    return found


def over_angles(curves: dict[str, pd.Series], quantity: str, title: str):
    """Curves over angles in degrees: polar at the left, rectangular at the right."""
    figure = Figure(figsize=(11.5, 5))
    left, right = figure.add_subplot(1, 2, 1, projection="polar"), figure.add_subplot(1, 2, 2)
    top = max(np.nanmax(values) for values in curves.values())
    around, depth = 5 * np.ceil(top / 5), TABLE["quantities"][quantity]["depth"]
    for name, values in curves.items():
        left.plot(np.radians(values.index), np.maximum(values, around - depth))
        curve(right, values.index, values, label=name)
    left.set_theta_zero_location("N")
    left.set_theta_direction(-1)
    left.set(rlim=(around - depth, around), rticks=np.arange(around - depth + 10, around + 1, 10))
    left.set_rlabel_position(112)
    right.set(ylim=(max(min(np.nanmin(v) for v in curves.values()) - 1, top - depth), top + 2), xlabel="angle (degrees)", ylabel=label(quantity))
    legend(right)
    figure.suptitle(title)
    return figure


def pattern(table: pd.DataFrame, frequency: float | None = None):
    """Cuts through the maximum of each source's pattern; theta 0 or phi 0 is up."""
    quantity, at, grids = one_pattern(table, frequency)
    curves = {(f"{source}, " if len(grids) > 1 else "") + name: cut
              for source, grid in list(grids.items())[:4] for name, cut in cuts(grid).items()}
    top = max(np.nanmax(grid.values) for grid in grids.values())
    return over_angles(curves, quantity, f"{', '.join(list(grids)[:1])}, {in_steps(at)}, greatest {label(quantity).split(' (')[0]} {top:.2f} dBi")


def rcs_curves(table: pd.DataFrame) -> tuple[str, dict[str, pd.Series]]:
    """The angle of the cross-section (of incidence in monostatic tables, else of observation), and a curve for
    each polarization, frequency and, of bistatic tables, wave."""
    waves = ["theta_inc_deg", "phi_inc_deg"]
    single = len(table[waves].drop_duplicates()) == 1
    back = table[((table.theta_deg - table.theta_inc_deg).abs() + (table.phi_deg - table.phi_inc_deg).abs()) < 1e-6]
    monostatic = not single and len(back) > 1
    if monostatic:
        table = back
    names = ("phi_inc_deg", "theta_inc_deg") if monostatic else ("phi_deg", "theta_deg")
    axis = max(names, key=lambda name: table[name].nunique())
    rest = [c for c in ("polarization", "frequency_hz", *(() if monostatic else waves), *({*names} - {axis})) if c in table]
    curves = {}
    for values, part in table.groupby(rest, sort=False):
        texts = [cell("polarization", values[0])]
        for column, value in list(zip(rest, values))[1:]:
            if table[column].nunique() > 1:
                texts.append(cell(column, value))
        curves[", ".join(texts)] = part.set_index(axis).sort_index().rcs_dbsm
    return label(axis), curves


def rcs(tables: dict[str, pd.DataFrame], title: str):
    """Radar cross-sections of one or several runs: the same curve of several has one colour and other dashes."""
    figure, axes = sheet()
    colours: dict[str, str] = {}
    for number, (run, table) in enumerate(tables.items()):
        over, curves = rcs_curves(table)
        for name, values in list(curves.items())[:8]:
            line = curve(axes, values.index, values, label=f"{name} {run}".strip() if len(tables) > 1 else name,
                         linestyle=["-", "--", ":", "-."][number % 4], **({"color": colours[name]} if name in colours else {}))
            colours.setdefault(name, line.get_color())
    axes.set(xlabel=over, ylabel=label("rcs_dbsm"), title=title)
    legend(axes)
    return figure


def differences(tables: dict[str, pd.DataFrame], depth: float = 30):
    """Text: largest differences of later runs from the first, within `depth` dB of its greatest value."""
    (first, table), *others = tables.items()
    for name, reference in rcs_curves(table)[1].items():
        for run, other in others:
            values = rcs_curves(other)[1].get(name)
            if values is None:
                continue
            both = pd.concat([reference, values], axis=1, join="inner")[lambda rows: rows.iloc[:, 0] > reference.max() - depth]
            apart = (both.iloc[:, 1] - both.iloc[:, 0]).abs()
            yield (f"{name} {run} - {first}: RMS {np.sqrt((apart**2).mean()):.3f} dB, greatest {apart.max():.3f} dB at "
                   f"{apart.idxmax():g} degrees")


def echo_width(table: pd.DataFrame, title: str):
    """Echo widths of mom2d over the angle of observation, or of incidence where these agree."""
    monostatic = (table.phi_deg == table.phi_inc_deg).all()
    keys = ["frequency_hz"] if monostatic else ["frequency_hz", "phi_inc_deg"]
    curves = {in_steps(key[0]) + "".join(f", from {p:g}°" for p in key[1:]): part.set_index("phi_deg").width_dbm
              for key, part in list(table.groupby(keys))[:8]}
    return over_angles(curves, "width_dbm", title)
