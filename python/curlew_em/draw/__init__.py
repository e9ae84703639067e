# SPDX-License-Identifier: BSD-3-Clause
"""Draws results: every chart is a function in one of these modules that takes tables and returns a Matplotlib figure."""
from __future__ import annotations

import os
import pathlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from ..results import CurlewError, CurlewWarning, Result, Sweep, Touchstone, load


def pictures(result: Result, **field_options: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """(name, function that makes the figure, or None) of every picture that a folder allows."""
    from . import angles, s_parameters, tables
    from .style import TABLE

    title = result.folder.name
    frequency = field_options.get("frequency")
    if isinstance(result, Sweep):
        runs = {", ".join(f"{key.split('.')[-1]} {value}" for key, value in zip(result.keys, values)): run
                for values, run in result.points.items()}
        yield from compared(runs, title)
        yield "numbers", lambda: tables.swept(result.dataset("sweep.csv"), title)
        return
    if result.results.get("s_parameters"):
        name = result.folder.stem if isinstance(result, Touchstone) else "s"
        yield name, lambda: s_parameters.levels(result.s, result.s_error, title)
        yield f"{name}_details", lambda: s_parameters.details(result.s, title)
    if result.has("farfield.csv"):
        yield "pattern", lambda: angles.pattern(result.table("farfield.csv"), frequency)
        yield "pattern_3d", lambda: _space().pattern(result.table("farfield.csv"), frequency)
    if result.has("rcs.csv"):
        yield "rcs", lambda: angles.rcs({"": result.table("rcs.csv")}, title)
    for name in ("echo_width", "monostatic"):
        if result.has(f"{name}.csv"):
            yield name, partial(_of_table, angles.echo_width, result, f"{name}.csv")
    for about in TABLE["charts"]:
        for name in sorted(path.stem for path in result.folder.glob(about["file"]) if about["name"] != "steps"):
            yield name, partial(_of_table, partial(tables.listed, about["name"]), result, f"{name}.csv")
    if result.results.get("modes"):
        yield "modes", lambda: tables.modes(result.results["modes"], result.results.get("errors", []), title)
    for name, file, draw in (("goals", "goals.csv", tables.goals), ("steps", "steps.csv", tables.steps), ("matrix", "pattern.csv", tables.matrix)):
        if result.has(file):
            yield name, partial(_of_table, draw, result, file)
    for path in sorted(path for name in ("fields", "near_*", "currents") for path in result.folder.glob(f"{name}.vtkhdf")):
        yield path.stem.replace("fields", "field"), partial(_of_space, result, path.name, field_options)


def _space():
    from . import space  # PyVista takes a second to load

    return space


def _of_table(draw: Callable[..., Any], result: Result, file: str) -> Any:
    return draw(result.table(file), result.folder.name)


def _of_space(result: Result, file: str, options: dict[str, Any]) -> Any:
    return _space().field_or_currents(result, file, **options)


def compared(runs: dict[str, Result], title: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The same pictures for several runs, by their names."""
    from . import angles, s_parameters

    first = next(iter(runs.values()))
    if first.results.get("s_parameters"):
        yield "s", lambda: s_parameters.family({name: run.s for name, run in runs.items()}, title)
    if first.has("rcs.csv"):
        yield "rcs", lambda: angles.rcs({name: run.table("rcs.csv") for name, run in runs.items()}, title)


def plot(results: Result | str | os.PathLike | Sequence, output: str | os.PathLike | None = None, *, only: Sequence[str] = (),
         kind: str = "png", labels: Sequence[str] = (), **field_options: Any) -> list[pathlib.Path]:
    """Pictures of a run or sweep, or of several runs beside each other; their files.

    results: a Result, its folder or a Touchstone file; of several the pictures compare what they all have, under `labels`.
    output: a folder (default: that of the first). only: names of pictures ("s", "field"). kind: "png" or "svg".
    field_options: frequency, array, component, normal, at, limit, scale of draw.space.field.
    What cannot be drawn is a warning. @raises CurlewError if there is nothing to draw
    """
    given = list(results) if isinstance(results, (list, tuple)) else [results]
    several = [each if isinstance(each, Result) else load(each) for each in given]
    folder = pathlib.Path(output or (several[0].folder if several[0].folder.is_dir() else several[0].folder.parent))
    folder.mkdir(parents=True, exist_ok=True)
    names = labels or [each.folder.name for each in several]
    found = pictures(several[0], **field_options) if len(several) == 1 else compared(dict(zip(names, several)), "")
    made = []
    for name, draw in found:
        if only and name not in only:
            continue
        try:
            if figure := draw():
                made.append(folder / f"{name}.{kind}")
                figure.savefig(made[-1])
        except (CurlewError, KeyError, ValueError) as error:  # a table that lacks a column, and the like
            warnings.warn(f"{name}: {error if isinstance(error, CurlewError) else repr(error)}", CurlewWarning, stacklevel=2)
    if not made:
        raise CurlewError(f"{several[0].folder} holds nothing to draw" + (f" named {', '.join(only)}" if only else ""))
    return made
