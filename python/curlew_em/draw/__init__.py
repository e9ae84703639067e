# SPDX-License-Identifier: BSD-3-Clause
"""Draws results: charts as report.html has them, and what is in space."""
from __future__ import annotations

import os
import pathlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from ..results import CurlewError, CurlewWarning, Result, Touchstone, load


def pictures(result: Result, **field_options: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """(name, function that makes the figure, or None) of what a folder or a Touchstone file holds."""
    from . import charts, tables

    title = result.folder.name
    if isinstance(result, Touchstone):
        yield result.folder.stem, lambda: charts.touchstone(result.network(), title)
        return
    for name, found in charts.charts_of(result).items():
        yield name, partial(charts.draw, found, title)
    if result.has("farfield.csv"):
        yield "pattern_3d", lambda: _space().pattern(result.table("farfield.csv"), field_options.get("frequency"))
    if result.results.get("modes"):
        yield "modes", lambda: tables.modes(result.results["modes"], result.results.get("errors", []), title)
    if result.has("pattern.csv"):
        yield "matrix", lambda: tables.matrix(result.table("pattern.csv"), title)
    for path in sorted(path for name in ("fields", "near_*", "currents") for path in result.folder.glob(f"{name}.vtkhdf")):
        yield path.stem.replace("fields", "field"), partial(_of_space, result, path.name, field_options)


def _space():
    from . import space  # PyVista takes a second to load

    return space


def _of_space(result: Result, file: str, options: dict[str, Any]) -> Any:
    return _space().field_or_currents(result, file, **options)


def compared(runs: dict[str, Result]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The same of several runs, by their names."""
    from . import charts

    for name, found in charts.compared({name: charts.charts_of(run) for name, run in runs.items()}).items():
        yield name, partial(charts.draw, found, "")


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
    found = pictures(several[0], **field_options) if len(several) == 1 else compared(dict(zip(names, several)))
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
        lacking = "" if (several[0].folder / "report.html").exists() else "; charts need its report.html"
        raise CurlewError(f"{several[0].folder} holds nothing to draw" + (f" named {', '.join(only)}" if only else "") + lacking)
    return made
