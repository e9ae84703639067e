# SPDX-License-Identifier: BSD-3-Clause
"""Runs the plotting scripts as users do, on small files whose answers are known. Usage: plots_test.py SOURCE_DIR"""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

from run_script import run_script

try:
    import h5py
    import matplotlib.image
    import matplotlib.pyplot  # noqa: F401
    import numpy as np
    import pandas as pd
    from vtkmodules.vtkIOHDF import vtkHDFReader  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SCRIPTS = pathlib.Path(sys.argv.pop(1)) / "scripts"
sys.path.insert(0, str(SCRIPTS))  # what the scripts share


def load(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def run(name, *arguments):
    return run_script(SCRIPTS / name, *arguments)


def write_square(path):
    """A flat grid at z = 0, as mom2d writes its near field: 1 A/m left, 3 A/m right."""
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = (2, 0)
        root.attrs.create("Type", b"UnstructuredGrid", dtype="S16")
        root["NumberOfPoints"], root["NumberOfCells"], root["NumberOfConnectivityIds"] = [8], [2], [8]
        square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
        root["Points"], root["Connectivity"] = np.vstack([square, square + [1, 0, 0]]), np.arange(8)
        root["Offsets"], root["Types"] = [0, 4, 8], np.array([9, 9], dtype=np.uint8)
        root["PointData/Hz_abs"] = np.repeat([1.0, 3.0], 4)
        root["PointData/Hz_abs"].attrs["unit"] = "A/m"


def write_sheet(path):
    """Two quadratic tetrahedra that meet at z = 0 in points of their own: 1 V/m below, 3 V/m above, as at a metal sheet."""
    points = []
    for z in (-1.0, 1.0):
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, z]])
        if z < 0:
            corners[:2] = corners[1::-1]
        edges = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))
        points += [*corners, *(0.5 * (corners[i] + corners[j]) for i, j in edges)]
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = (2, 0)
        root.attrs.create("Type", b"UnstructuredGrid", dtype="S16")
        root["NumberOfPoints"], root["NumberOfCells"], root["NumberOfConnectivityIds"] = [20], [2], [20]
        root["Points"], root["Connectivity"] = np.array(points), np.arange(20)
        root["Offsets"], root["Types"] = [0, 10, 20], np.array([24, 24], dtype=np.uint8)
        root["PointData/E_abs"] = np.repeat([1.0, 3.0], 10)
        root["PointData/E_re"] = np.outer(np.repeat([-1.0, 3.0], 10), [0.0, 0.0, 1.0])
        root["PointData/E_abs"].attrs["unit"] = root["PointData/E_re"].attrs["unit"] = "V/m"


def write_currents(path, points):
    """Two triangles, as ie-solve writes currents of two waves: 1 and 3 A/m of the first, 0 of the second."""
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = (2, 0)
        root.attrs.create("Type", b"UnstructuredGrid", dtype="S16")
        root["NumberOfPoints"], root["NumberOfCells"], root["NumberOfConnectivityIds"] = [4], [2], [6]
        root["Points"], root["Connectivity"] = np.array(points, dtype=float), [0, 1, 2, 0, 2, 3]
        root["Offsets"], root["Types"] = [0, 3, 6], np.array([5, 5], dtype=np.uint8)
        root["CellData/J_2_abs"], root["CellData/J_1_abs"] = [0.0, 0.0], [1.0, 3.0]
        root["CellData/J_1_re"], root["CellData/M_1_abs"] = [[0.0, 0.6, 0.8], [0.0, 0.0, 3.0]], [5.0, 5.0]
        for array in root["CellData"].values():
            array.attrs["unit"] = "A/m"


class PlotSurface(unittest.TestCase):
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.folder.name) / "currents.vtkhdf"
        self.picture = pathlib.Path(self.folder.name) / "currents.png"

    def tearDown(self):
        self.folder.cleanup()

    def pixels_of(self, *arguments):
        """Of the colours for 1 and 3 A/m."""
        result = run("plot-surface", self.file, "--limit", 4, *arguments, "-o", self.picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        image = (matplotlib.image.imread(self.picture)[..., :3] * 255).round().astype(int)
        colours = [np.array(matplotlib.colormaps["inferno"](v / 4)[:3]) * 255 for v in (1, 3)]
        return [np.sum(np.abs(image - colour).max(axis=2) <= 3) for colour in colours]

    def test_films_across_any_axis_show_the_first_wave(self):
        for turn in (0, 1):  # z = 0 and x = 0
            write_currents(self.file, np.roll(self.square, turn, axis=1))
            left, right = self.pixels_of()
            self.assertGreater(left, 20000)
            self.assertLess(abs(right / left - 1), 0.03)

    def test_a_body_is_drawn_in_perspective(self):
        write_currents(self.file, [[0, 0, 0], [1, 0, 0], [1, 1, 0.3], [0, 1, 0.6]])
        for array in ("J_1_abs", "J_1_re"):  # the length of the vectors
            self.assertGreater(min(self.pixels_of("--array", array)), 10000)

    def test_says_what_is_wrong(self):
        write_currents(self.file, self.square)
        result = run("plot-surface", self.file, "--array", "E_abs", "-o", self.picture)
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
        self.assertIn("J_1_abs, J_1_re, J_2_abs, M_1_abs", result.stderr)
        self.assertIn("missing", run("plot-surface", "nowhere.vtkhdf").stderr)
        write_square(self.file)
        self.assertIn("plot-field", run("plot-surface", self.file).stderr)


class PlotField(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.folder.name) / "fields.vtkhdf"
        self.picture = pathlib.Path(self.folder.name) / "field.png"
        write_sheet(self.file)

    def tearDown(self):
        self.folder.cleanup()

    def test_sides_of_a_sheet_do_not_mix(self):
        # The cut is one triangle of 1 V/m and its mirror image of 3 V/m: as many points of the one colour as of the other.
        result = run("plot-field", self.file, "--normal", "x", "--at", 0.2, "--limit", 3, "-o", self.picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        image = (matplotlib.image.imread(self.picture)[..., :3] * 255).round().astype(int)
        colours = [np.array(matplotlib.colormaps["inferno"](v / 3)[:3]) * 255 for v in (1, 3)]
        below, above = (np.sum(np.abs(image - colour).max(axis=2) <= 3) for colour in colours)
        self.assertGreater(below, 50000)
        self.assertLess(abs(above / below - 1), 0.03)

    def test_a_flat_grid_is_drawn_whole(self):
        write_square(self.file)
        result = run("plot-field", self.file, "-o", self.picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        image = (matplotlib.image.imread(self.picture)[..., :3] * 255).round().astype(int)
        colours = [np.array(matplotlib.colormaps["inferno"](v / 3)[:3]) * 255 for v in (1, 3)]
        left, right = (np.sum(np.abs(image - colour).max(axis=2) <= 3) for colour in colours)
        self.assertGreater(left, 50000)
        self.assertLess(abs(right / left - 1), 0.03)

    def test_a_plane_of_symmetry_is_cut(self):
        result = run("plot-field", self.file, "--normal", "x", "--at", 0, "--array", "E_re", "--component", "z",
                     "-o", self.picture)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_says_what_is_wrong(self):
        for arguments, said in ((["--array", "D_abs"], "E_abs, E_re"), (["--component", "x"], "no components"),
                                (["--normal", "z", "--at", "7"], "does not cut")):
            result = run("plot-field", self.file, *arguments, "-o", self.picture)
            self.assertEqual(result.returncode, 1)
            self.assertIn(said, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn("missing", run("plot-field", "nowhere.vtkhdf").stderr)

    def test_slivers_are_left_out(self):
        u, v = np.array([0.0, 1.0, 0.5, 0.5]), np.array([0.0, 0.0, 1.0, 1e-3])
        np.testing.assert_array_equal(load("plot-field").wide(u, v, np.array([[0, 1, 2], [0, 1, 3]])), [[0, 1, 2]])


class PlotPattern(unittest.TestCase):
    def test_cuts_of_both_half_planes_are_one(self):
        rows = [(t, p, t + 1000 * p) for p in (0, 90, 180) for t in (0, 90, 180)]
        table = pd.DataFrame(rows, columns=["theta_deg", "phi_deg", "gain_dbi"])
        cuts = load("plot-pattern").cuts(table, "gain_dbi")
        self.assertEqual(sorted(cuts), [0, 90])
        self.assertEqual(list(cuts[0].index), [-180, -90, 0, 90, 180])
        self.assertEqual(cuts[0][-90], 180090)
        self.assertEqual(list(cuts[90].index), [0, 90, 180])

    def test_says_what_is_wrong(self):
        result = run("plot-pattern", "nowhere.csv")
        self.assertEqual(result.returncode, 1)
        self.assertIn("farfield.csv is needed", result.stderr)


class PlotPasses(unittest.TestCase):
    def test_draws_a_table_of_passes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "passes.csv"
            path.write_text("# program\npass,cells,unknowns,quantity,re_value,im_value,change,estimated_error\n"
                            "1,10,100,S11,0.5,0,,0.1\n2,20,200,S11,0.52,0,0.02,0.05\n")
            result = run("plot-passes", path)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertGreater(matplotlib.image.imread(path.with_suffix(".png")).std(), 0.05)


class Plot(unittest.TestCase):
    def test_draws_what_a_run_has_left(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.assertIn("no output folder", run("plot", folder).stderr)
            (folder / "summary.json").write_text("{}")
            self.assertEqual(run("plot", folder).returncode, 1)  # nothing to draw
            write_square(folder / "fields.vtkhdf")
            write_currents(folder / "currents.vtkhdf", PlotSurface.square)
            (folder / "two.s2p").write_text("# Hz S RI R 50\n1e9 0.5 0 0.5 0 0.5 0 0.5 0\n2e9 0.2 0 0.9 0 0.9 0 0.2 0\n")
            (folder / "farfield.csv").write_text("broken\n")
            result = run("plot", folder)
            self.assertEqual(result.returncode, 1)
            self.assertIn("plot-pattern", result.stderr)
            for name in ("two.png", "field.png", "currents.png"):
                self.assertIn(name, result.stdout)
                self.assertGreater(matplotlib.image.imread(folder / name).std(), 0.05)


if __name__ == "__main__":
    unittest.main()
