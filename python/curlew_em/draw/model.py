# SPDX-License-Identifier: BSD-3-Clause
"""The structure behind a field: metal, media, and the plane that shows most of them."""
from __future__ import annotations

import fnmatch
import os

import h5py
import numpy as np
import pyvista

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

from ..results import CurlewError, Result

NO_METAL = ("pmc", "absorbing", "lumped", "neumann", "robin", "dirichlet")


def _right_handed(nodes, cells):
    """Tetrahedra in VTK's orientation: those of the file have ascending vertices."""
    a, b, c, d = (nodes[cells[:, i]] for i in range(4))
    wrong = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) < 0
    return np.where(wrong[:, None], cells[:, [1, 0, 2, 3]], cells)


def read_regions(file: str | os.PathLike) -> dict[str, pyvista.DataSet]:
    """{name: surface, curved, or volume, by its vertices} of a solution.h5 or mesh.h5. @raises CurlewError if it has no mesh"""
    kinds = {4: pyvista.CellType.TETRA, 3: pyvista.CellType.TRIANGLE, 6: pyvista.CellType.QUADRATIC_TRIANGLE}
    order = {3: (0, 1, 2), 6: (0, 1, 2, 3, 5, 4)}  # middles of edges: ours are of 01 02 12, those of VTK go around
    if not h5py.is_hdf5(file):
        raise CurlewError(f"{file} is missing or is not an HDF5 file")
    regions: dict[str, pyvista.DataSet] = {}
    with h5py.File(file) as solution:
        mesh = solution.get("mesh", solution)
        if "nodes" not in mesh:
            raise CurlewError(f"{file} holds no mesh")
        nodes = mesh["nodes"][:]
        for group, cells in (("volumes", "cells"), ("surfaces", "triangles")):
            members = mesh.get(group, {})
            for numbers in (members[key] for key in sorted(members, key=lambda key: (len(key), key))):  # 10 behind 9
                corners = mesh[cells][:][numbers[:]]
                corners = _right_handed(nodes, corners[:, :4]) if group == "volumes" else corners[:, order[corners.shape[1]]]
                grid = pyvista.UnstructuredGrid({kinds[corners.shape[1]]: corners}, nodes)
                regions[numbers.attrs["name"]] = grid if group == "volumes" else grid.extract_surface(algorithm="dataset_surface")
    return {name: region for name, region in regions.items() if region.n_cells}


def _surface(grid) -> pyvista.PolyData:
    return grid.extract_surface(algorithm="dataset_surface")


def inside(at: float, low: float, high: float) -> float:
    """Moves a position at the end of a range slightly inside: a plane of symmetry is a face of the mesh."""
    margin = 1e-4 * (high - low)
    return float(np.clip(at, low + margin, high - margin)) if low <= at <= high else at


def cut_lines(part: pyvista.PolyData, axis: int, at: float) -> pyvista.PolyData:
    """Lines in which a plane cuts a surface."""
    at = inside(at, *part.bounds[2 * axis:2 * axis + 2])
    return part.slice(normal=np.eye(3)[axis], origin=at * np.eye(3)[axis])


def rim(part: pyvista.PolyData) -> pyvista.PolyData:
    """Outer edges of a sheet, whose triangles may exist once for each side."""
    part = part.clean()
    once = pyvista.PolyData.from_regular_faces(part.points, np.unique(np.sort(part.regular_faces, axis=1), axis=0))
    return once.extract_feature_edges(feature_edges=False, non_manifold_edges=False, manifold_edges=False)


def length(lines: pyvista.PolyData) -> float:
    return float(lines.compute_cell_sizes(length=True, area=False, volume=False)["Length"].sum()) if lines.n_cells else 0.0


class Model:
    """Surfaces of a run, of its solution.h5 and resolved.toml: `metal`, `media` other than vacuum, without what lies in matched
    layers, and of both what is `inner`, not on the faces of the box. All are empty where the run keeps no mesh.

    bounds: of the field, (x low, x high, y low, ...) [m]
    """

    def __init__(self, result: Result, bounds):
        self.bounds = np.asarray(bounds, float)
        self.size = self.bounds[1::2] - self.bounds[::2]
        path = result.folder / "resolved.toml"
        self.config = tomllib.loads(path.read_text()) if path.exists() else {}
        try:
            self.regions = read_regions(result.folder / "solution.h5")
        except CurlewError:
            self.regions = {}
        truncation, boundaries = self.config.get("truncation", {}), self.config.get("boundary", [])
        self.open = bool(truncation or self.config.get("pml") or any(b.get("type") == "absorbing" for b in boundaries))
        planes = truncation.get("symmetry", [])
        metal = [b for b in boundaries if b.get("type") not in NO_METAL and b.get("region") not in planes]
        media = [m for m in self.config.get("material", []) if m.get("epsilon_r", 1) != 1 or m.get("mu_r", 1) != 1]
        self.metal, self.media = (self._outside_layers([_surface(region) for region in self._named(tables)]) for tables in (metal, media))
        self.inner_metal, inner_media = ([part for surface in parts if (part := self._inner(surface)).n_cells]
                                         for parts in (self.metal, self.media))
        self.inner = self.inner_metal + inner_media

    @property
    def ports(self) -> list[dict]:
        """Ports with a face of their own. A gap of ie-solve stands between two surfaces, which are metal."""
        return [port for port in self.config.get("port", []) if len(np.atleast_1d(port.get("region", []))) < 2]

    def role(self, name: str) -> str:
        """The type of a surface in the config: "port", "pec", ...; "" of others."""
        for kind, tables in (("port", self.ports), (None, self.config.get("boundary", []))):
            for table in tables:
                if any(fnmatch.fnmatchcase(name, w) for w in np.atleast_1d(table.get("region", [])).tolist()):
                    return kind or table.get("type", "")
        return ""

    def is_seen(self, name: str, role: str, surface: pyvista.PolyData) -> bool:
        """Whether it is metal that does not hide the field: of an open structure, no plane of symmetry, not the back of layers."""
        return self.open and name not in self.config.get("truncation", {}).get("symmetry", []) and role not in ("", "port", *NO_METAL) and bool(self._outside_layers([surface]))

    def _named(self, tables: list[dict]) -> list[pyvista.DataSet]:
        """Regions that the tables of a config name, by patterns too."""
        wanted = [name for table in tables for name in np.atleast_1d(table.get("region", [])).tolist()]
        return [region for name, region in self.regions.items() if any(fnmatch.fnmatchcase(name, w) for w in wanted)]

    def _outside_layers(self, surfaces: list[pyvista.PolyData]) -> list[pyvista.PolyData]:
        if layers := self._named(self.config.get("pml", [])):
            matched = pyvista.merge(layers)
            for number, surface in enumerate(surfaces):
                centres = surface.cell_centers().points
                apart = np.linalg.norm(matched.find_closest_cell(centres, return_closest_point=True)[1] - centres, axis=1)
                surfaces[number] = _surface(surface.extract_cells(apart > 1e-2 * matched.length))
        return [surface for surface in surfaces if surface.n_cells]

    def _on_face(self, points, axis: int) -> np.ndarray:
        """Whether points lie on one of the two faces of the box across an axis."""
        return np.abs(points[:, axis, None] - self.bounds[2 * axis:2 * axis + 2]).min(axis=1) < 1e-6 * self.size.max()

    def _inner(self, surface: pyvista.PolyData) -> pyvista.PolyData:
        centres = surface.cell_centers().points
        return _surface(surface.extract_cells(~np.any([self._on_face(centres, axis) for axis in range(3)], axis=0)))

    def symmetry(self, axis: int) -> float:
        """Position of a plane of symmetry normal to an axis, else the middle."""
        low, high = self.bounds[2 * axis:2 * axis + 2]
        planes = self._named([b for b in self.config.get("boundary", []) if b.get("type") == "pmc"]
                             + [{"region": self.config.get("truncation", {}).get("symmetry", [])}])
        on_face = [float(plane.points[0, axis]) for plane in planes if self._on_face(plane.points, axis).all()]
        stated = any(s.get("axis") == "xyz"[axis] and s.get("type") != "ground" for s in self.config.get("symmetry", []))
        return on_face[0] if on_face else min((low, high), key=abs) if stated else (low + high) / 2

    def plane(self, normal: str | None = None, at: float | None = None) -> tuple[int, float]:
        """Axis and place [m] of a cut: of a field on a plane that plane, else that normal to `normal` at `at` or in the middle, else the
        plane that shows most."""
        thin = np.flatnonzero(self.size <= 1e-9 * self.size.max())
        if thin.size:
            axis, place = thin[0], self.bounds[2 * thin[0]]
        elif normal:
            axis = "xyz".index(normal)
            place = self.bounds[2 * axis:2 * axis + 2].mean()
        else:
            axis, place = self._most_telling()
        return int(axis), float(place if at is None else at)

    def _most_telling(self) -> tuple[int, float]:
        """The plane of the flat conductor with the longest rim for its area, else the cut through the middle (or along a plane of
        symmetry) that meets most ports, so that it shows where the wave goes, of these the one with the longest lines of metal and
        media, else the largest."""
        flat = [(length(rim(part)) ** 2 / part.area, axis, float(part.points[0, axis])) for part in self.inner_metal
                for axis in range(3) if np.ptp(part.points[:, axis]) < 1e-6 * self.size.max()]
        if flat:
            return max(flat)[1:]
        largest = [1e-3 * np.prod(np.delete(self.size, axis)) / self.size.max() for axis in range(3)]
        ports = self._named(self.ports)
        return max((sum(cut_lines(port, axis, place).n_cells > 0 for port in ports),
                    largest[axis] + sum(length(cut_lines(part, axis, place)) for part in self.inner), axis, place)
                   for axis in range(3) for place in [self.symmetry(axis)])[2:]

    def limits(self, across, size: float) -> dict[str, tuple[float, float]]:
        """Limits of the axes (`across`, in units of `size`) around the structure, where it is small in open space."""
        if not self.inner or not self.open:
            return {}
        points = np.vstack([part.points for part in self.inner])
        low, high = points.min(axis=0), points.max(axis=0)
        margin = 0.3 * np.max(high - low)
        low, high = np.maximum(low - margin, self.bounds[::2]), np.minimum(high + margin, self.bounds[1::2])
        small = np.prod((high - low)[across]) < 0.5 * np.prod(self.size[across])
        return {f"{letter}lim": (low[i] / size, high[i] / size) for letter, i in zip("xy", across)} if small else {}
