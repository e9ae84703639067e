# SPDX-License-Identifier: BSD-3-Clause
"""Results in space: fields on a plane, currents on surfaces, pattern surfaces. PyVista cuts and renders, Matplotlib writes."""
from __future__ import annotations

import ctypes.util
import os
import pathlib
import re

import h5py
import numpy as np
import pandas
import pyvista
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from vtkmodules.vtkCommonCore import vtkLogger
from vtkmodules.vtkCommonDataModel import vtkNonMergingPointLocator, vtkPlane
from vtkmodules.vtkFiltersCore import vtkCutter
from vtkmodules.vtkIOHDF import vtkHDFReader

from ..results import CurlewError, Result
from .model import Model, cut_lines, inside, rim
from .style import HEIGHTS, MAP, SIGNED, TABLE, in_steps, label, sheet

RANGE = TABLE["field_depth"]  # dB below the limit of a field's colours
METAL = "#00c8b8"  # its outlines, on dark and on bright fields
BODY = TABLE["body_depth"]  # dB from the greatest value of a pattern to its centre
FINE = 40_000  # triangles of a cut: Matplotlib mixes the colours of their corners, and decibels fall steeply at walls
MOST_EDGES_DRAWN = 20_000  # of triangles; the mesh of larger surfaces would be black


def read_step(file: str | os.PathLike, frequency: float | None = None) -> pyvista.UnstructuredGrid:
    """The step of a .vtkhdf whose value (Hz, mode) is nearest, else the middle frequency or the first mode; field_data["step"] is
    the value.
    @raises CurlewError if it is none"""
    if not h5py.is_hdf5(file):
        raise CurlewError(f"{file} is missing or is not an HDF5 file; a .vtkhdf is needed")
    with h5py.File(file) as fields:  # the reader tells nothing of a single step
        root = fields["VTKHDF"]
        values = root["Steps/Values"][:] if "Steps" in root else np.zeros(1)
        units = {name: data.attrs.get("unit", "") for kind in ("PointData", "CellData") for name, data in root.get(kind, {}).items()}
    middle = len(values) // 2 if values[-1] > len(values) else 0
    step = middle if frequency is None else int(np.argmin(np.abs(values - frequency)))
    reader = vtkHDFReader()
    reader.SetFileName(str(file))
    reader.SetStep(step)
    reader.Update()
    grid = pyvista.wrap(reader.GetOutput())
    grid.field_data["step"] = [float(values[step])]
    for name, unit in units.items():
        grid.field_data[f"unit of {name}"] = [unit.decode() if isinstance(unit, bytes) else str(unit)]
    return grid


def cut_by_plane(grid: pyvista.DataSet, axis: int, at: float) -> pyvista.PolyData:
    """Triangles; both sides of a metal sheet keep their own values. A plane on a face of the mesh is taken inside of it."""
    low, high = grid.bounds[2 * axis:2 * axis + 2]
    if high - low < 1e-9 * grid.length:
        return grid.extract_surface(algorithm="dataset_surface").triangulate()
    at = inside(at, low, high)
    plane, cutter = vtkPlane(), vtkCutter()
    plane.SetOrigin(*(at * np.eye(3)[axis]))
    plane.SetNormal(*np.eye(3)[axis])
    cutter.SetInputData(grid)
    cutter.SetCutFunction(plane)
    cutter.GenerateTrianglesOn()
    cutter.SetLocator(vtkNonMergingPointLocator())
    cutter.Update()
    cut = pyvista.wrap(cutter.GetOutput())
    if not cut.n_cells:
        raise CurlewError(f"the plane {'xyz'[axis]} = {at:g} m does not cut the mesh ({low:g} to {high:g} m)")
    return cut


def wide(u, v, triangles):
    """Without the thin pieces along a plane close to faces of cells, which would be drawn too wide."""
    a, b, c = (np.stack([u[t], v[t]]) for t in triangles.T)
    doubled_area = np.abs((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])
    longest = np.max([((p - q) ** 2).sum(axis=0) for p, q in ((a, b), (b, c), (c, a))], axis=0)
    return triangles[doubled_area > 0.01 * longest]


def choose_array(data, asked: str | None, first: str) -> str:
    """Else the size of the first of the letters `first`, of all ports combined or the first wave. data: point_data or cell_data"""
    if asked is None:
        sizes = [name for name in data.keys() if name.endswith("_abs")] or list(data.keys())
        asked = min(sizes, key=lambda name: ("combined" not in name, first.find(name[0]) % 99, len(name), name), default=None)
    if asked not in data:
        raise CurlewError(f'no array "{asked}" (there are {", ".join(sorted(data.keys())) or "none"})')
    return asked


def sizes(values, component: str | None, name: str):
    if component and values.ndim == 1:
        raise CurlewError(f'"{name}" has no components (E_re and E_im have)')
    if component:
        return values[:, "xyz".index(component)]
    return np.linalg.norm(values, axis=1) if values.ndim > 1 else values


def colours(values, limit: float | None, scale: str, unit: str):
    """(values, norm, map, words of the scale): signed values about 0; sizes in dB of their limit, or linear. The limit is where
    0.5 % of the points lie above. scale: db or linear"""
    if np.nanmin(values) < 0:
        limit = limit or np.nanpercentile(np.abs(values), 99.5)
        return values, Normalize(-limit, limit), SIGNED, unit
    limit = limit or np.nanpercentile(values, 99.5) or 1.0
    if scale == "linear":
        return values, Normalize(0, limit), MAP, unit
    level = 20 * np.log10(np.maximum(values / limit, 1e-15))
    depth = RANGE if np.nanmedian(level) > -RANGE else 2 * RANGE  # else half of the picture would be black
    return np.maximum(level, -depth), Normalize(-depth, 0), MAP, f"dB re {limit:.3g} {unit}"


def words_of(array: str, component: str | None = None) -> str:
    """The label of an array of a file.

    >>> words_of("E_abs"), words_of("J_1_abs"), words_of("E_feed_TE10_re", "y"), words_of("p_re")
    ('|E|', '|J| of wave 1', 'Re E_y of feed_TE10', 'Re p')
    """
    found = re.fullmatch(r"([A-Za-z]+)(?:_(.*))?_(abs|re|im)", array)
    if found is None:
        return f"{array} {component}" if component else array
    field, source, part = found.groups()
    size = f"|{field}|" if part == "abs" else f"{part.capitalize()} {field}" + (f"_{component}" if component else "")
    return size + (f" of {'wave ' * source.isdigit()}{source}" if source else "")


def words_of_step(result: Result, grid) -> str:
    """The frequency that a grid belongs to, for modes also their number."""
    step = float(grid.field_data["step"][0])
    modes = result.results.get("modes") or []
    return f"mode {step:g}, {in_steps(modes[int(step) - 1]['frequency_hz'])}" if 1 <= step <= len(modes) else in_steps(step)


def length_unit(extent: float) -> tuple[float, str]:
    return next(((size, name) for size, name in ((1, "m"), (1e-3, "mm"), (1e-6, "µm")) if extent >= 2 * size), (1e-9, "nm"))


def field(result: Result, file: str = "fields.vtkhdf", *, frequency: float | None = None, array: str | None = None,
          component: str | None = None, normal: str | None = None, at: float | None = None, limit: float | None = None,
          scale: str = "db"):
    """A field on a plane: that of the structure, unless normal ("x") and at [m] are given; outlines of metal and, grey, of
    media. Parts far from a small structure are left out."""
    grid = read_step(result.folder / file, frequency)
    array = choose_array(grid.point_data, array, "EHpv")
    model = Model(result, grid.bounds)
    axis, place = model.plane(normal, at)
    cut = cut_by_plane(grid, axis, place)
    for _ in range((cut.n_cells < FINE) + (4 * cut.n_cells < FINE)):
        cut = cut.subdivide(1, "linear")
    unit = str(grid.field_data[f"unit of {array}"][0])
    values, norm, cmap, words = colours(sizes(np.asarray(cut.point_data[array]), component, array), limit, scale, unit)
    extents = np.ptp(cut.points, axis=0)
    across = sorted((i for i in range(3) if i != axis), key=lambda i: -extents[i])
    size, name = length_unit(extents.max())
    digits = 3 - int(np.floor(np.log10(extents.max() / size)))
    u, v = (cut.points[:, i] / size for i in across)
    height = 1.5 + 8.5 * extents[across[1]] / extents[across[0]]
    figure, axes = sheet((10, min(max(height, 3.0), 9)))
    triangles = wide(u, v, cut.regular_faces)
    triangles = triangles[np.isfinite(values[triangles]).all(axis=1)]  # a dipole stands in a point without a value
    image = axes.tripcolor(u, v, triangles, np.nan_to_num(values), shading="gouraud", norm=norm, cmap=cmap, rasterized=True)
    outlines(axes, model, axis, place, across, size)
    axes.grid(False)
    if normal is None and at is None:
        axes.set(**model.limits(across, size))
    axes.set(aspect="equal", xlabel=f"{'xyz'[across[0]]} ({name})", ylabel=f"{'xyz'[across[1]]} ({name})",
             title=f"{result.folder.name}: {words_of_step(result, grid)}, {'xyz'[axis]} = {round(place / size, digits) + 0:g} {name}")
    figure.colorbar(image, ax=axes, shrink=0.9, extend="max", label=f"{words_of(array, component)} ({words})")
    return figure


def outlines(axes, model: Model, axis: int, place: float, across, size: float):
    """Lines of media, grey, and of metal in the plane; a sheet that lies in it by its rim."""
    for parts, colour, width in ((model.media, "0.6", 0.9), (model.metal, METAL, 1.6)):
        for part in parts:
            flat = np.abs(part.points[:, axis] - place).max() < 1e-6 * part.length
            lines = rim(part) if flat else cut_lines(part, axis, place)
            if lines.n_cells:
                ends = lines.points[lines.lines.reshape(-1, 3)[:, 1:]][:, :, across] / size
                axes.add_collection(LineCollection(ends, colors=colour, linewidths=width))


def plotter(panels: int = 1) -> pyvista.Plotter:
    """A plotter without a window. @raises CurlewError if rendering is not possible"""
    if not (os.environ.get("DISPLAY") or any(ctypes.util.find_library(name) for name in ("OSMesa", "EGL"))):
        raise CurlewError("pictures in 3-D need libosmesa6 or libegl1 (apt-get install), or a screen")
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_ERROR)  # it tries a screen first, and warns
    made = pyvista.Plotter(off_screen=True, shape=(1, panels), window_size=(900 * panels, 760), border=False)
    made.set_background("white")
    return made


def rendered(scene: pyvista.Plotter, title: str, norm, cmap, label: str):
    """The picture of a scene as a figure, with a colour bar in the common font."""
    picture = scene.screenshot(None, return_img=True)
    scene.close()
    figure, axes = sheet((10.5 * picture.shape[1] / 1200 + 1.6, 6.4))
    axes.imshow(picture)
    axes.set_axis_off()
    axes.set_title(title)
    figure.colorbar(ScalarMappable(norm, cmap), ax=axes, shrink=0.8, extend="max", label=label)
    return figure


def films(surface: pyvista.PolyData) -> tuple[int, np.ndarray] | None:
    """Axis normal to parallel films, and their positions on it; None if the triangles are no such films."""
    tolerance = 1e-6 * surface.length
    for axis in (2, 1, 0):
        corners = surface.points[surface.regular_faces][:, :, axis]
        levels = np.unique(np.round(corners[:, 0] / tolerance)) * tolerance
        if np.ptp(corners, axis=1).max() < tolerance and len(levels) <= 4:
            return axis, levels
    return None


def of_both_sides(surface: pyvista.PolyData, values) -> np.ndarray:
    """The greatest of the values of cells that coincide, as the two sides of a sheet between media do: which is in front is chance."""
    _, which = np.unique(np.round(surface.cell_centers().points / (1e-6 * surface.length)), axis=0, return_inverse=True)
    greatest = np.full(which.max() + 1, -np.inf)
    np.maximum.at(greatest, which.ravel(), values)
    return greatest[which.ravel()]


def currents(result: Result, file: str = "currents.vtkhdf", *, frequency: float | None = None, array: str | None = None,
             limit: float | None = None, scale: str = "db"):
    """Currents (or fields in cells) on the surface of bodies, seen at a slant, or on films, seen from above, with the mesh."""
    grid = read_step(result.folder / file, frequency)
    surface = grid.extract_surface(algorithm="dataset_surface").triangulate()
    if not surface.n_cells:
        raise CurlewError(f"{result.folder / file} has no surface")
    array = choose_array(surface.cell_data, array, "JD")
    unit = str(grid.field_data[f"unit of {array}"][0])
    values, norm, cmap, words = colours(sizes(np.asarray(surface.cell_data[array]), None, array), limit, scale, unit)
    surface.cell_data["shown"] = of_both_sides(surface, values)
    size, name = length_unit(max(np.ptp(surface.points, axis=0)))
    surface.points = surface.points.astype(float) / size
    axis, levels = films(surface) or (2, [None])
    scene = plotter(len(levels))
    for panel, level in enumerate(levels):
        scene.subplot(0, panel)
        part = surface
        if level is not None:
            part = surface.extract_cells(np.abs(surface.cell_centers().points[:, axis] - level) < 1e-5 * surface.length)
            scene.add_text(f"{'xyz'[axis]} = {level + 0:.4g} {name}", color="black", font_size=12)
        thin = part.compute_cell_sizes(length=False, volume=False)["Area"].sum() < 0.01 * part.length**2
        if thin:  # lines of two cells would take the colour of either by chance
            part = part.cell_data_to_point_data()
        scene.add_mesh(part, scalars="shown", cmap=cmap, clim=(norm.vmin, norm.vmax), show_scalar_bar=False, lighting=level is None, ambient=0.3 * (level is None),
                       **({"style": "wireframe", "line_width": 6} if thin else
                          {"show_edges": part.n_cells < MOST_EDGES_DRAWN, "edge_opacity": 0.2}))
        scene.add_axes(color="black", line_width=3)
        scene.camera_position = "iso" if level is None else ("yz", "xz", "xy")[axis]
        scene.camera.zoom(1.25 if level is None else 1.0)
    extents = " x ".join(f"{extent * (extent > 1e-6 * surface.length):.4g}" for extent in np.ptp(surface.points, axis=0))
    return rendered(scene, f"{result.folder.name}: {words_of_step(result, grid)}, {extents} {name}", norm, cmap, f"{words_of(array)} ({words})")


def one_pattern(table: pandas.DataFrame, frequency: float | None = None) -> tuple[str, float, dict[str, pandas.DataFrame]]:
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


def pattern_body(grid) -> pyvista.PolyData:
    """A pattern (theta over phi, dB) as a surface whose distance from the centre is (value - greatest + BODY) / BODY, at
    least 0; of few cuts their lines. Cells of phi = 0 close a table that ends before 360 degrees."""
    phi, values = np.asarray(grid.columns, float), grid.values
    step = np.diff(phi).max(initial=0)
    if len(phi) > 2 and 0 < step <= 30 and abs(phi[0] + 360 - phi[-1] - step) < 1e-6:
        phi, values = np.append(phi, phi[0] + 360), np.column_stack([values, values[:, 0]])
    r = np.maximum(0, 1 + (values - np.nanmax(values)) / BODY)
    t, p = np.meshgrid(np.radians(grid.index), np.radians(phi), indexing="ij")
    points = [r * np.sin(t) * np.cos(p), r * np.sin(t) * np.sin(p), r * np.cos(t)]
    if len(phi) > 2 and step <= 30:
        body = pyvista.StructuredGrid(*points)
        body.point_data["dB"] = np.maximum(values, np.nanmax(values) - BODY).ravel(order="F")
        return body.extract_surface(algorithm="dataset_surface")  # which has an order of its own
    body = pyvista.merge([pyvista.lines_from_points(np.column_stack([c[:, n] for c in points])) for n in range(len(phi))],
                         merge_points=False)
    body.point_data["dB"] = np.maximum(values, np.nanmax(values) - BODY).ravel(order="F")
    return body


def pattern(table, frequency: float | None = None):
    """The pattern of the first source, or of all ports combined, as a body; None of tables with few cuts."""
    quantity, at, grids = one_pattern(table, frequency)
    source, grid = next(iter(grids.items()))
    body = pattern_body(grid)
    if grid.shape[0] < 5 or not body.n_faces:
        return None
    norm = Normalize(np.nanmax(grid.values) - BODY, np.nanmax(grid.values))
    scene = plotter()
    scene.add_mesh(body, scalars="dB", cmap=HEIGHTS, clim=(norm.vmin, norm.vmax), show_scalar_bar=False, smooth_shading=True)
    for axis in range(3):
        scene.add_mesh(pyvista.Line((0, 0, 0), 1.25 * np.eye(3)[axis]), color="black", line_width=2)
        scene.add_point_labels([1.3 * np.eye(3)[axis]], ["xyz"[axis]], shape=None, show_points=False, text_color="black", font_size=22,
                               always_visible=True)
    scene.camera_position = "iso"
    return rendered(scene, f"{source}, {in_steps(at)}", norm, HEIGHTS, label(quantity))


def field_or_currents(result: Result, file: str, **options):
    """The field or the currents, if the arrays are at points or on cells."""
    with h5py.File(result.folder / file) as fields:
        at_points = len(fields["VTKHDF"].get("PointData", {})) > 0
    if at_points:
        return field(result, file, **options)
    return currents(result, file, **{name: value for name, value in options.items() if name in ("frequency", "array", "limit", "scale")})


def write_pattern(folder: pathlib.Path, frequency: float | None = None) -> str:
    """Writes pattern.vtp in the folder, for ParaView, and prints its contents."""
    quantity, at, grids = one_pattern(pandas.read_csv(folder / "farfield.csv", comment="#"), frequency)
    grid = next(iter(grids.values()))
    pattern_body(grid).save(folder / "pattern.vtp")
    return f"pattern: {in_steps(at)}, {quantity} at most {np.nanmax(grid.values):.2f}"
