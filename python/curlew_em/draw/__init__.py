# SPDX-License-Identifier: BSD-3-Clause
"""Draws results: charts as in report.html, and fields in space."""
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

    title, frequency = result.folder.name, field_options.get("frequency")
    found = charts.charts_of(result, frequency)
    if isinstance(result, Touchstone):
        found = {name.replace("s", result.folder.stem, 1): drawn for name, drawn in found.items()}
    for name, drawn in found.items():
        yield name, partial(charts.draw, drawn, title)
    if result.has("farfield.csv"):
        yield "pattern_3d", lambda: _space().pattern(result.table("farfield.csv"), frequency)
    if result.results.get("modes"):
        yield "modes", lambda: tables.modes(result.results["modes"], result.results.get("errors", []), title)
    if result.has("pattern.csv"):
        yield "matrix", lambda: tables.matrix(result.table("pattern.csv"), title)
    for path in sorted(path for name in ("fields", "near_*", "currents") for path in result.folder.glob(f"{name}.vtkhdf")):
        yield path.stem.replace("fields", "field"), partial(_of_space, result, path.name, field_options)
    if not found:
        yield "charts", partial(_say_what_lacks, result)


def _space():
    from . import space  # PyVista takes a second to load

    return space


def _say_what_lacks(result: Result) -> None:
    """@raises CurlewError where the charts of a run are missing; one may have none"""
    page = result.folder / "report.html"
    if not page.exists() or 'class="chart"' in page.read_text():
        raise CurlewError(f"{page} is missing or old: the command of the run with --resume and without --no-report writes it, without solving "
                          "again what this version has solved")


def _of_space(result: Result, file: str, options: dict[str, Any]) -> Any:
    return _space().field_or_currents(result, file, **options)


def compared(runs: dict[str, Result], frequency: float | None = None) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The same of several runs, by their names."""
    from . import charts

    found = {name: charts.charts_of(run, frequency) for name, run in runs.items()}
    for name, drawn in charts.compared(found).items():
        yield name, partial(charts.draw, drawn, "")
    for name, run in runs.items():
        if not found[name]:
            yield "charts", partial(_say_what_lacks, run)


def plot(results: Result | str | os.PathLike | Sequence, output: str | os.PathLike | None = None, *, only: Sequence[str] = (),
         kind: str = "png", labels: Sequence[str] = (), **field_options: Any) -> list[pathlib.Path]:
    """Pictures of a run or sweep, or of several runs together; their files.

    results: a Result, its folder or a Touchstone file; of several the pictures compare what they all have, under `labels`.
    output: a folder (default: that of the first). only: names of pictures ("s", "field"). kind: "png" or "svg".
    field_options: frequency, array, component, normal, at, limit, scale of draw.space.field.
    For results that cannot be drawn a warning is given. @raises CurlewError if there is nothing to draw
    """
    given = list(results) if isinstance(results, (list, tuple)) else [results]
    several = [each if isinstance(each, Result) else load(each) for each in given]
    folder = pathlib.Path(output or (several[0].folder if several[0].folder.is_dir() else several[0].folder.parent))
    folder.mkdir(parents=True, exist_ok=True)
    names = labels or [each.folder.name for each in several]
    found = pictures(several[0], **field_options) if len(several) == 1 else compared(dict(zip(names, several)), field_options.get("frequency"))
    made, failed = [], []
    for name, draw in found:
        if only and name not in only and (made or name != "charts"):
            continue
        try:
            if figure := draw():
                made.append(folder / f"{name}.{kind}")
                figure.savefig(made[-1])
        except (CurlewError, KeyError, ValueError) as error:  # a table that lacks a column, and the like
            failed.append(f"{name}: {error if isinstance(error, CurlewError) else repr(error)}")
    if not made:
        raise CurlewError("; ".join([f"{several[0].folder} holds nothing to draw" + (f" named {', '.join(only)}" if only else ""), *failed]))
    for text in failed:
        warnings.warn(text, CurlewWarning, stacklevel=2)
    return made
