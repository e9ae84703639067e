# SPDX-License-Identifier: BSD-3-Clause
"""S-parameters: decibels with bars, phase, group delay, standing wave ratio, Smith chart; families of several runs."""
from __future__ import annotations

import numpy as np

from .style import COLOURS, HEIGHTS, TABLE, curve, decibels, in_steps, label, legend, scaled, sheet

MOST = TABLE["most_curves"]
SMALL = 10 ** (-80 / 20)  # below it an entry says nothing beside the others
ALIKE = 0.02  # of their greatest size: entries that lie on one another


def entries(s, most: int = MOST) -> list[list[tuple[int, int]]]:
    """Groups of entries (to, from) with equal sizes, as of symmetric or reciprocal devices, the greatest first: those that matter.

    s: (frequency, to, from), complex.
    >>> s = np.array([[[0.1, 0.9, 1e-6], [0.9, 0.1, 0.2], [1e-6, 0.2, 0.5]]])
    >>> entries(s)
    [[(0, 1), (1, 0)], [(2, 2)], [(1, 2), (2, 1)], [(0, 0), (1, 1)]]
    """
    size = np.abs(s)
    greatest = size.max(axis=0)
    order = sorted(np.ndindex(greatest.shape), key=lambda e: (-round(float(greatest[e]), 3), e))
    groups: list[list[tuple[int, int]]] = []
    for entry in order:
        if greatest[entry] < SMALL and groups:
            continue
        of = lambda e: size[:, e[0], e[1]]
        for group in groups:
            if np.max(np.abs(of(group[0]) - of(entry))) <= ALIKE * max(greatest[entry], greatest[group[0]]):
                group.append(entry)
                break
        else:
            groups.append([entry])
    return [sorted(group) for group in groups[:most]]


def name_of(group: list[tuple[int, int]]) -> str:
    """
    >>> name_of([(0, 1), (1, 0)])
    'S12 = S21'
    """
    comma = "," if max(max(entry) for entry in group) > 8 else ""
    shown = [f"S{i + 1}{comma}{j + 1}" for i, j in group[:4]]
    return " = ".join(shown) + (" = ..." if len(group) > 4 else "")


def level_axes(axes, levels):
    """Limits of the axis: the full range of the curves if it is small, otherwise its upper part."""
    top = np.max(levels)
    bottom = max(np.min(levels), top - TABLE["quantities"]["s_db"]["depth"])
    axes.set_ylim(bottom - 1, top + max(1, 0.04 * (top - bottom)))


def levels(s, bars, title: str):
    """abs(S) in dB with error bars. s, bars: DataArrays of Result.s and s_error, or of any Touchstone file"""
    figure, axes = sheet()
    f = s.frequency_hz.values
    unit, name = scaled(f)
    drawn, groups = [], entries(s.values)
    for number, group in enumerate(groups):
        i, j = group[0]
        size, bar = np.abs(s.values[:, i, j]), 0 * f if bars is None else np.nan_to_num(bars.values[:, i, j])
        drawn.append(level := decibels(size))
        around = np.array([level - decibels(np.maximum(size - bar, 0.1 * size)), decibels(size + bar) - level])
        if len(f) == 1:
            axes.errorbar(level, [number], xerr=around if bar.any() else None, fmt="o", capsize=4)
        else:
            curve(axes, f / unit, level, around if bar.any() else None, label=name_of(group))
    if len(f) == 1:  # a row an entry
        axes.set_yticks(range(len(groups)), [name_of(group) for group in groups])
        axes.set(ylim=(len(groups) - 0.5, -0.5), xlabel=label("s_db"), title=f"{title}, {in_steps(f[0])}")
        return figure
    level_axes(axes, np.concatenate(drawn))
    axes.set(xlabel=f"frequency ({name})", ylabel=label("s_db"), title=title)
    legend(axes)
    return figure


def smith_grid(axes):
    """Circles of resistance and reactance 0.2, 0.5, 1, 2, 5, with their values."""
    turn = np.linspace(0, 2 * np.pi, 361)
    for value in (0.2, 0.5, 1, 2, 5):
        centre, radius = value / (1 + value), 1 / (1 + value)
        axes.plot(centre + radius * np.cos(turn), radius * np.sin(turn), color="0.8", linewidth=0.7, zorder=0)
        axes.annotate(f"{value:g}", (centre - radius, 0), fontsize=8, color="0.4", ha="right", va="bottom")
        for sign in (1, -1):
            points = (1j * sign * value + (r := np.concatenate([[0], np.geomspace(1e-2, 1e3, 200)])) - 1) / (1j * sign * value + r + 1)
            axes.plot(points.real, points.imag, color="0.8", linewidth=0.7, zorder=0)
            axes.annotate(f"{sign * value:g}j", (1.09 * points[0].real, 1.09 * points[0].imag), fontsize=8, color="0.4", ha="center",
                          va="center")
    axes.plot(np.cos(turn), np.sin(turn), [-1, 1], [0, 0], color="0.5", linewidth=0.9, zorder=0)
    axes.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
    axes.set_axis_off()


def details(s, title: str):
    """Phase and group delay of transmission, standing wave ratio and Smith chart of reflection."""
    figure, axes = sheet(2, 2, (10, 8))
    (phase, delay), (ratio, smith) = axes
    smith_grid(smith)
    f = s.frequency_hz.values
    unit, name = scaled(f)
    for number, group in enumerate(entries(s.values)):
        i, j = group[0]
        colour, value = COLOURS[number % len(COLOURS)], s.values[:, i, j]
        entry = name_of(group)
        degrees = np.degrees(np.angle(value))
        round_ = 1 + np.flatnonzero(np.abs(np.diff(degrees)) > 180)  # no line where a phase goes round
        curve(phase, np.insert(f / unit, round_, np.nan), np.insert(degrees, round_, np.nan), color=colour, label=entry)
        if i == j:
            curve(ratio, f / unit, (1 + np.abs(value)) / np.maximum(1 - np.abs(value), 1e-3), color=colour, label=entry)
            curve(smith, value.real, value.imag, color=colour, label=entry)
            smith.plot(value.real[0], value.imag[0], "s", color=colour, markersize=7)
        elif len(f) > 2:
            curve(delay, f / unit, -np.gradient(np.unwrap(np.angle(value)), 2 * np.pi * f) * 1e9, color=colour, label=entry)
    phase.set(ylabel=label("phase_deg"), yticks=range(-180, 181, 60), xlabel=f"frequency ({name})")
    delay.set(ylabel=label("group_delay_ns"), xlabel=f"frequency ({name})")
    ratio.set(ylabel=label("vswr"), xlabel=f"frequency ({name})", ylim=(1, min(10, 1.05 * ratio.get_ylim()[1])))
    smith.set_title("Smith chart, each port's own reference; square: lowest frequency", fontsize=9)
    for each in (phase, delay, ratio):
        each.set_visible(bool(each.lines) and (each is not ratio or min(line.get_ydata().min() for line in each.lines) < 10))
    for each in axes.flat:
        legend(each)
    figure.suptitle(title)
    return figure


def family(runs, title: str):
    """abs(S) in dB of several runs: one panel per entry, one colour per run. runs: {name: DataArray of S}"""
    first = next(iter(runs.values()))
    groups = entries(first.values, 4)
    figure, panels = sheet(1, len(groups), (5.4 * len(groups) + 1.6, 4.4), squeeze=False)
    unit, name = scaled(first.frequency_hz.values)
    for axes, group in zip(panels[0], groups):
        i, j = group[0]
        drawn = []
        for number, (run, s) in enumerate(runs.items()):
            colour = COLOURS[number] if len(runs) <= len(COLOURS) else _shade(number / (len(runs) - 1))
            drawn.append(decibels(s.values[:, i, j]))
            curve(axes, s.frequency_hz.values / unit, drawn[-1], color=colour, label=run)
        level_axes(axes, np.concatenate(drawn))
        axes.set(xlabel=f"frequency ({name})", ylabel=f"abs {name_of(group)} (dB)")
    legend(panels[0][-1])
    figure.suptitle(title)
    return figure


def _shade(share: float):
    import matplotlib

    return matplotlib.colormaps[HEIGHTS](0.92 * share)
