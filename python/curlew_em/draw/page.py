# SPDX-License-Identifier: BSD-3-Clause
"""A page that shows a model and its fields in a browser, without a network: regions by name, phase that turns."""
from __future__ import annotations

import base64
import html
import json
import pathlib
import tempfile
import webbrowser
from collections.abc import Sequence

import numpy as np
import pyvista

from ..programs import complete
from ..results import CurlewError, Result, load
from . import space
from .charts import figures_of
from .model import Model, read_regions
from .style import COLOURS, TABLE

PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<title>{title}</title><style>{css}</style><body><main><figure class="whole"><script type="application/json"
class="body">{data}</script></figure></main><script>const TABLE = {table};{js}</script></body></html>"""


def _numbers(values) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype=np.float32).tobytes()).decode()


def part(name: str, data: pyvista.DataSet, colour: str, on: bool, array: str | None = None) -> dict:
    """Triangles of a surface as page.js takes them, each with separate corners; with ARRAY_re and ARRAY_im at points or of cells as a wave."""
    surface = data if isinstance(data, pyvista.PolyData) else data.extract_surface(algorithm="dataset_surface")
    surface = surface.triangulate()
    corners = surface.regular_faces
    shown = {"name": name, "colour": colour, "on": on, "points": _numbers(surface.points[corners])}
    if array:
        re, im = (np.asarray(surface[f"{array}_{kind}"], float) for kind in ("re", "im"))
        re, im = (v if v.ndim > 1 else np.column_stack([v, 0 * v, 0 * v]) for v in (re, im))
        of_cells = len(re) == len(corners) and f"{array}_re" in surface.cell_data
        re, im = (np.repeat(v, 3, axis=0) if of_cells else v[corners] for v in (re, im))
        limit = float(np.percentile(np.sqrt((re**2 + im**2).sum(axis=-1)), 99))
        shown |= {"re": _numbers(re), "im": _numbers(im), "limit": limit}
    return shown


def field_part(result: Result, file: str, options: dict) -> dict:
    """The field of a file on the plane that shows most of the structure, or on the surface of its cells."""
    grid = space.read_step(result.folder / file, options.get("frequency"))
    step = space.words_of_step(result, grid)
    at_points = bool(grid.point_data.keys())
    array = space.choose_array(grid.point_data if at_points else grid.cell_data, options.get("array"), "EHpvJD").rsplit("_", 1)[0]
    unit = str(grid.field_data[f"unit of {array}_re"][0])
    if at_points:
        plane = Model(result, grid.bounds).plane(options.get("normal"), options.get("at"))
        grid = space.cut_by_plane(grid, *plane)
    shown = f"{space.words_of(array + '_re').removeprefix('Re ')}, {step}"
    return part(shown, grid, "#ba3655", True, array) | {"unit": unit, "is_cut": at_points}


def hiding(regions: dict[str, pyvista.DataSet]) -> list[str]:
    """Surfaces around the whole model if others lie inside of it: they would hide them."""
    if not regions:
        return []
    box = np.reshape(pyvista.merge(list(regions.values())).bounds, (3, 2))
    near = 1e-6 * np.ptp(box)
    boxes = {name: np.reshape(region.bounds, (3, 2)) for name, region in regions.items() if isinstance(region, pyvista.PolyData)}
    is_on_a_face = [(np.ptp(own, axis=1) < near) & (np.abs(own - box).min(axis=1) < near) for own in boxes.values()]
    around = [name for name, own in boxes.items() if np.abs(own - box).max() < near]
    return around if sum(not faces.any() for faces in is_on_a_face) > len(around) else []


def view(results: pathlib.Path, output: pathlib.Path | None = None, mesher: Sequence[str] = (), **options) -> pathlib.Path:
    """Writes the page of a folder of results, of a mesh.h5 or of a geometry, which em-mesh meshes with the options `mesher`, and opens
    it where no output is named; its path. @raises CurlewError if there is nothing to show"""
    if results.is_file() and results.suffix not in (".h5", ".vtkhdf"):
        with tempfile.TemporaryDirectory() as place:
            mesh = pathlib.Path(place) / f"{results.stem}.h5"
            complete("em-mesh", [results, *mesher, "-q", "-o", mesh])
            page = view(mesh, output or pathlib.Path(f"{results.stem}.html"), **options)
        if output is None:
            webbrowser.open(page.resolve().as_uri())
        return page
    folder = results if results.is_dir() else None
    result = load(folder) if folder else None
    files = [name for name in ("fields.vtkhdf", "currents.vtkhdf") if result and result.has(name)]
    parts = [field_part(result, name, options) for name in files]
    patterns = [each for data in figures_of(folder, "body") for each in data.get("patterns", [])] if folder else []
    try:
        regions = read_regions(folder / "solution.h5" if folder else results)
    except CurlewError:
        if not parts and not patterns:
            raise
        regions = {}
    model = Model(result, pyvista.merge(list(regions.values())).bounds) if result and regions else None
    hulls = [] if files else hiding(regions)
    for number, (name, region) in enumerate(regions.items()):
        role = model.role(name) if model else ""
        on = isinstance(region, pyvista.PolyData) and (not files and name not in hulls or role in ("port", "lumped") or model is not None and model.is_seen(name, role, region))
        parts.append(part(f"{name}: {role}" if role else name, region, COLOURS[number % len(COLOURS)], on))
    page = output or (folder / "view.html" if folder else results.with_suffix(".html"))
    data = {"title": results.stem} | ({"parts": parts} if parts else {}) | ({"patterns": patterns} if patterns else {})
    text = {name: (pathlib.Path(__file__).parent / f"page.{name}").read_text() for name in ("css", "js")}
    page.write_text(PAGE.format(title=html.escape(results.stem), data=json.dumps(data).replace("<", "\\u003c"), table=json.dumps(TABLE), **text))
    if output is None:
        webbrowser.open(page.resolve().as_uri())
    return page
