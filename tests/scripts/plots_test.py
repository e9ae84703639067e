# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of curlew_em, on small results whose pictures are known. Usage: plots_test.py SOURCE_DIR"""
import importlib
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import warnings

from run_script import run_script

try:
    import h5py
    import matplotlib.image
    import numpy as np
    import pandas as pd
    import pyvista
    import skrf  # noqa: F401
    import xarray
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(SOURCE / "python"))
from curlew_em import CurlewError, CurlewWarning, Result, Sweep, draw, plot  # noqa: E402
from curlew_em.draw.model import Model  # noqa: E402
from curlew_em.draw import charts, page, space, style, tables  # noqa: E402

warnings.simplefilter("ignore", DeprecationWarning)  # of what PyVista calls


def run(*arguments):
    return run_script(SOURCE / "scripts/curlew", *arguments)


def write_summary(folder, **results):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "summary.json").write_text(json.dumps({"program": "fem-solve", "status": "done", "results": results}))
    return Result(folder)


def two_port(folder, frequencies=(1e9, 2e9), error=None):
    """A symmetric two-port of |S11| = 0.6, |S21| = 0.8, turning with the frequency."""
    points = [{"frequency_hz": f, **{f"s{i}_{j}": [0.6 * (i == j), 0.8 * (i != j)] for i in (1, 2) for j in (1, 2)}} for f in frequencies]
    bars = [{"frequency_hz": f, "s2_1_error": error} for f in frequencies] if error else []
    return write_summary(folder, s_parameters=points, errors=bars,
                         s_references=[{"port": f"port{i}", "reference": "its own impedance"} for i in (1, 2)])


def chart_of(*curves, **more):
    """A chart as src/report/chart.cpp writes it."""
    return {"picture": "s", "kind": "line", "title": "S-parameters", "x": "frequency (GHz)", "x_size": 1e9, "y": "abs S (dB)", "depth": 60,
            "range": None, "log": False, "family": False, "masks": [], "curves": list(curves), **more}


def write_page(folder, *drawn):
    (folder / "report.html").write_text("".join(f'<script type="application/json" class="chart">{json.dumps(chart)}</script>' for chart in drawn))


def body_of(text):
    """The data of the figure of a page."""
    return json.loads(re.search(r'class="body">(.*?)</script>', text, re.DOTALL)[1])


def colours_of(picture, values, most):
    """Number of pixels in the colours of these values on a linear scale that ends at `most`."""
    image = (matplotlib.image.imread(picture)[..., :3] * 255).round().astype(int)
    wanted = [np.array(matplotlib.colormaps[style.MAP](v / most)[:3]) * 255 for v in values]
    return [np.sum(np.abs(image - colour).max(axis=2) <= 3) for colour in wanted]


def write_square(path, values=(1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 3.0)):
    """A flat grid at z = 0, as mom2d writes its near field: 1 A/m left, 3 A/m right."""
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = (2, 0)
        root.attrs.create("Type", b"UnstructuredGrid", dtype="S16")
        root["NumberOfPoints"], root["NumberOfCells"], root["NumberOfConnectivityIds"] = [8], [2], [8]
        square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
        root["Points"], root["Connectivity"] = np.vstack([square, square + [1, 0, 0]]), np.arange(8)
        root["Offsets"], root["Types"] = [0, 4, 8], np.array([9, 9], dtype=np.uint8)
        root["PointData/Hz_abs"] = np.array(values)
        root["PointData/Hz_abs"].attrs["unit"] = "A/m"


def write_sheet(path):
    """Two quadratic tetrahedra that meet at z = 0 in separate points: 1 V/m below, 3 V/m above, as at a metal sheet."""
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


class InFolder(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name) / "run"
        self.result = write_summary(self.folder)

    def tearDown(self):
        self.place.cleanup()

    def drawn(self, name, **options):
        made, = plot(self.result, only=[name], scale="linear", **options)
        return made


class Charts(InFolder):
    def axes(self, *drawn):
        return charts.draw(drawn, "").axes

    def test_few_points_have_markers_and_bars(self):
        axes, = self.axes(chart_of({"name": "S11", "x": [1, 2, 3], "y": [-3, -4, None], "low": [-4, None, None], "high": [-2, None, None]}))
        curve, markers = axes.lines[:2]
        np.testing.assert_array_equal(curve.get_ydata(), [-3, -4, np.nan])
        self.assertEqual((curve.get_linestyle(), markers.get_marker()), ("-", "o"))
        np.testing.assert_allclose(axes.collections[0].get_segments()[0], [[1, -4], [1, -2]])

    def test_results_at_one_frequency_stand_side_by_side(self):
        axes, = self.axes(chart_of({"name": "S11", "x": [1], "y": [-3]}, {"name": "S21", "x": [2], "y": [-3]}, names=["S11", "S21"]))
        self.assertEqual([(tick, label.get_text()) for tick, label in zip(axes.get_xticks(), axes.get_xticklabels())], [(1, "S11"), (2, "S21")])

    def test_curves_that_a_point_lacks_are_left_out(self):
        axes, = self.axes(chart_of({"name": "a", "x": [1, 2], "y": [-3, -4]}, {"name": "b", "x": [], "y": []}, family=True))
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["a"])

    def test_many_points_have_a_band(self):
        x = np.arange(40.0)
        axes, = self.axes(chart_of({"name": "S11", "x": list(x), "y": list(-x), "low": list(-x - 2), "high": list(1 - x)}))
        band = axes.collections[0].get_paths()[0].vertices[:, 1]
        self.assertEqual((len(axes.lines), band.min(), band.max()), (1, -41, 1))

    def test_markers_stand_at_the_computed_points(self):
        axes, = self.axes(chart_of({"name": "S11", "x": list(range(100)), "y": [-1] * 100, "points": [0, 99]}))
        np.testing.assert_array_equal(axes.lines[1].get_xdata(), [0, 99])

    def test_a_phase_that_goes_round_is_no_line(self):
        axes, = self.axes(chart_of({"name": "S11", "x": [1, 2, 3], "y": [170, -170, -150]}, depth=None, range=[-180, 180]))
        np.testing.assert_array_equal(axes.lines[0].get_ydata(), [170, np.nan, -170, -150])

    def test_limits_of_goals_are_masked(self):
        start = {"name": "start", "x": [1, 2], "y": [-5, -6], "colour": 1, "dash": True}
        axes, = self.axes(chart_of(start, masks=[[1, 2, -20, 1]]))
        self.assertEqual((axes.lines[0].get_color(), axes.lines[0].get_linestyle()), (style.COLOURS[1], "--"))
        mask = axes.collections[0].get_paths()[0].vertices[:, 1]
        self.assertEqual(mask.min(), -20)

    def test_what_is_above_the_range_is_cut(self):
        axes, = self.axes(chart_of({"name": "", "x": [0, 1, 2], "y": [1, 2, 900]}, log=True, depth=None, range=[0, 3]))
        np.testing.assert_allclose(axes.get_ylim(), [1 / 1.2, 3.6])

    def test_bars_alone_raise_no_axis_of_decibels(self):
        axes, = self.axes(chart_of({"name": "S21", "x": [0, 1], "y": [-1, 0], "low": [-9, -9], "high": [4, 5]}, depth=60, top_of_bars=0))
        self.assertEqual(axes.get_ylim()[1], 1)
        axes, = self.axes(chart_of({"name": "S21", "x": [0, 1], "y": [-1, 2], "low": [-9, -9], "high": [4, 5]}, depth=60, top_of_bars=0))
        self.assertGreater(axes.get_ylim()[1], 5)

    def test_a_pattern_has_zero_up_and_goes_clockwise(self):
        curve = {"name": "phi 0", "x": [0, 90], "y": [3, -90]}
        axes, = self.axes(chart_of(curve, kind="polar", depth=40))
        np.testing.assert_allclose(axes.lines[0].get_xydata(), [[0, 3], [math.pi / 2, -35]])
        self.assertEqual((axes.get_theta_offset(), axes.get_theta_direction()), (math.pi / 2, -1))
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()][6:8], ["180°", "-150°"])  # as in report.html

    def test_a_reflection_stands_in_the_smith_chart(self):
        axes, = self.axes(chart_of({"name": "S11", "x": [1, 2], "re": [0.5, 0], "im": [0, 0.5]}, kind="smith"))
        self.assertTrue(any(np.array_equal(line.get_xydata(), [[0.5, 0], [0, 0.5]]) for line in axes.lines))

    def test_the_same_curves_of_several_runs_are_beside_each_other(self):
        coarse = {"s": [chart_of({"name": "S12 = S21", "x": [1.5], "y": [-1]})]}
        fine = {"s": [chart_of({"name": "S12", "x": [1500], "y": [-2]}, x="frequency (MHz)", x_size=1e6)]}
        chart, = charts.compared({"coarse": coarse, "fine": fine})["s"]
        self.assertEqual([(curve["name"], list(curve["x"]), curve["y"]) for curve in chart["curves"]],
                         [("coarse", [1.5], [-1]), ("fine", [1.5], [-2])])


    def test_a_frequency_chooses_the_pattern(self):
        write_page(self.folder, *(chart_of({"name": "phi 0°", "x": [0], "y": [f]}, picture="pattern", frequency_hz=1e9 * f) for f in (2, 1, 3)))
        for asked, found in ((None, 2), (1.2e9, 1), (9e9, 3)):
            chart, = charts.charts_of(self.result, asked)["pattern"]
            self.assertEqual(chart["curves"][0]["y"], [found])

    def test_equal_entries_of_a_network_share_a_curve(self):
        f, turn = np.linspace(1e9, 2e9, 101), np.exp(-2j * np.pi * np.linspace(1e9, 2e9, 101) * 3e-9)
        s = np.stack([np.array([[0.6, 0.8, 0], [0.8, 0.6, 0], [0, 0, 1e-5]]) * t for t in turn])
        found = charts.of_network(skrf.Network(f=f, s=s, z0=50))
        self.assertEqual([curve["name"] for curve in found["s"][0]["curves"]], ["S12 = S21", "S11 = S22"])
        smith, phase, delay, ratio = found["s_details"]
        np.testing.assert_allclose(delay["curves"][0]["y"], 3)  # ns
        np.testing.assert_allclose(ratio["curves"][0]["y"], 4)
        np.testing.assert_allclose(smith["curves"][0]["im"], 0.6 * turn.imag)
        np.testing.assert_allclose(phase["curves"][1]["y"][:2], np.degrees(np.angle(turn[:2])))

    def test_a_file_is_compared_with_a_run(self):
        network = charts.of_network(skrf.Network(f=[1e9, 2e9], s=[[[0.1, 0.9], [0.9, 0.3]]] * 2, z0=50))
        run = {"s": [chart_of({"name": "S12 = S21", "x": [1], "y": [-1]}, {"name": "S11 = S22", "x": [1], "y": [-9]})]}
        self.assertEqual([[curve["name"] for curve in chart["curves"]] for chart in charts.compared({"run": run, "file": network})["s"]],
                         [["run", "file"], ["run", "file"]])


class Fields(InFolder):
    def setUp(self):
        super().setUp()
        write_sheet(self.folder / "fields.vtkhdf")

    def test_sides_of_a_sheet_do_not_mix(self):
        # The cut is one triangle of 1 V/m and its mirror image of 3 V/m: as many points of the one colour as of the other.
        below, above = colours_of(self.drawn("field", normal="x", at=0.2, limit=3), (1, 3), 3)
        self.assertGreater(below, 50000)
        self.assertLess(abs(above / below - 1), 0.03)

    def test_a_flat_grid_is_drawn_whole(self):
        write_square(self.folder / "fields.vtkhdf")
        left, right = colours_of(self.drawn("field", limit=3), (1, 3), 3)
        self.assertGreater(left, 50000)
        self.assertLess(abs(right / left - 1), 0.03)

    def test_between_points_it_is_the_size_that_is_linear_not_its_decibels(self):
        write_square(self.folder / "fields.vtkhdf", [0.0, 1.0, 1.0, 0.0, 1.0, 2.0, 2.0, 1.0])  # x [A/m]
        drawn = space.field(Result(self.folder), limit=2.0, scale="db").axes[0].collections[0]
        x, level = drawn._triangulation.x, drawn.get_array()
        np.testing.assert_allclose(level[np.isclose(x, 0.25)], 20 * np.log10(0.25 / 2), atol=1e-6)
        self.assertGreater(np.isclose(x, 0.25).sum(), 0)

    def test_sizes_are_in_decibels_of_the_limit(self):
        values, norm, _, words = space.colours(np.array([0.0, 0.1, 1.0]), 1.0, "db", "V/m")
        np.testing.assert_allclose(values, [-space.RANGE, -20, 0])
        self.assertEqual((norm.vmin, norm.vmax, words), (-space.RANGE, 0, "dB re 1 V/m"))
        self.assertEqual(space.colours(np.array([-1.0, 0.5]), None, "db", "V/m")[1].vmin, -space.colours(
            np.array([-1.0, 0.5]), None, "db", "V/m")[1].vmax)

    def test_a_picture_that_would_be_black_is_deeper(self):
        values, norm, *_ = space.colours(np.array([0.0, 1e-3, 1e-2, 1.0]), 1.0, "db", "V/m")
        np.testing.assert_allclose(values, [-2 * space.RANGE, -60, -40, 0])
        self.assertEqual(norm.vmin, -2 * space.RANGE)

    def test_a_point_without_a_value_leaves_the_rest(self):
        with h5py.File(self.folder / "fields.vtkhdf", "a") as file:
            file["VTKHDF/PointData/E_abs"][3] = np.nan
        _, above = colours_of(self.drawn("field", normal="x", at=0.2, limit=3), (1, 3), 3)
        self.assertGreater(above, 50000)

    def test_a_plane_of_symmetry_is_cut(self):
        self.assertTrue(self.drawn("field", normal="x", at=0, array="E_re", component="z").exists())

    def test_says_what_is_wrong(self):
        for options, said in (({"array": "D_abs"}, "E_abs, E_re"), ({"component": "x"}, "no components"),
                              ({"normal": "z", "at": 7}, "does not cut")):
            with self.assertRaisesRegex(CurlewError, said):
                space.field(self.result, **options)
        with self.assertRaisesRegex(CurlewError, "missing"):
            space.read_step(self.folder / "nowhere.vtkhdf")

    def test_slivers_are_left_out(self):
        u, v = np.array([0.0, 1.0, 0.5, 0.5]), np.array([0.0, 0.0, 1.0, 1e-3])
        np.testing.assert_array_equal(space.wide(u, v, np.array([[0, 1, 2], [0, 1, 3]])), [[0, 1, 2]])


def write_model(folder, config, surfaces):
    """solution.h5 with the surfaces {name: (points, triangles)}, and resolved.toml."""
    (folder / "resolved.toml").write_text(config)
    points, triangles, numbers = [], [], {}
    for name, (corners, faces) in surfaces.items():
        numbers[name] = np.arange(len(faces)) + len(triangles)
        triangles += [[i + len(points) for i in face] for face in faces]
        points += corners
    with h5py.File(folder / "solution.h5", "w") as file:
        file["mesh/nodes"], file["mesh/triangles"] = np.array(points, float), triangles
        for number, (name, chosen) in enumerate(numbers.items()):
            file[f"mesh/surfaces/{number}"] = chosen
            file[f"mesh/surfaces/{number}"].attrs["name"] = name


class Planes(InFolder):
    """The box is 4 x 2 x 1."""

    bounds = np.array([0, 4, 0, 2, 0, 1.0])

    def test_a_strip_is_seen_from_above(self):
        strip = ([[0, 0.9, 0.3], [4, 0.9, 0.3], [4, 1.1, 0.3], [0, 1.1, 0.3]], [[0, 1, 2], [0, 2, 3]])
        plate = ([[0, 0, 0.1], [4, 0, 0.1], [4, 2, 0.1], [0, 2, 0.1]], [[0, 1, 2], [0, 2, 3]])
        write_model(self.folder, '[[boundary]]\nregion = ["st*", "plate"]\ntype = "pec"\n', {"strip": strip, "plate": plate})
        self.assertEqual(Model(self.result, self.bounds).plane(), (2, 0.3))

    def test_posts_are_cut_across_but_through_the_ports(self):
        sides = [[x, y, z] for z in (0, 1) for x, y in ((1, 0.5), (1.5, 0.5), (1.5, 1), (1, 1))]
        faces = [face for i in range(4) for j in [(i + 1) % 4] for face in ([i, j, 4 + i], [j, 4 + j, 4 + i])]
        write_model(self.folder, '[[boundary]]\nregion = "post"\ntype = "impedance"\n', {"post": (sides, faces)})
        self.assertEqual(Model(self.result, self.bounds).plane(), (2, 0.5))
        ends = {f"port{z}": ([[0, 0, z], [4, 0, z], [4, 2, z], [0, 2, z]], [[0, 1, 2], [0, 2, 3]]) for z in (0, 1)}
        write_model(self.folder, '[[boundary]]\nregion = "post"\ntype = "impedance"\n[[port]]\nregion = "port?"\n', {"post": (sides, faces), **ends})
        self.assertEqual(Model(self.result, self.bounds).plane(), (1, 1.0))

    def test_without_a_structure_the_largest_plane_is_taken(self):
        self.assertEqual(Model(self.result, self.bounds).plane(), (2, 0.5))

    def test_a_model_cut_by_symmetry_is_seen_on_the_cut(self):
        wall = ([[0, 0, 0], [4, 0, 0], [4, 2, 0], [0, 2, 0]], [[0, 1, 2], [0, 2, 3]])
        write_model(self.folder, '[[boundary]]\nregion = "half"\ntype = "pmc"\n', {"half": wall})
        self.assertEqual(Model(self.result, self.bounds).plane(), (2, 0.0))


    def test_a_small_structure_in_open_space_fills_the_picture(self):
        strip = ([[1, 0.9, 0.3], [1.5, 0.9, 0.3], [1.5, 1.1, 0.3], [1, 1.1, 0.3]], [[0, 1, 2], [0, 2, 3]])
        config = '[[boundary]]\nregion = "strip"\ntype = "pec"\n'
        for more, limits in (("", {}), ('[[boundary]]\nregion = "outer"\ntype = "absorbing"\n', {"xlim": (0.85, 1.65), "ylim": (0.75, 1.25)})):
            write_model(self.folder, config + more, {"strip": strip})
            found = Model(self.result, self.bounds).limits([0, 1], 1.0)
            self.assertEqual(list(found), list(limits))
            for name in limits:
                np.testing.assert_allclose(found[name], limits[name])


class Currents(InFolder):
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]

    def pixels(self, **options):
        return colours_of(self.drawn("currents", limit=4, **options), (1, 3), 4)

    def test_films_across_any_axis_show_the_first_wave(self):
        for turn in (0, 1):  # z = 0 and x = 0
            write_currents(self.folder / "currents.vtkhdf", np.roll(self.square, turn, axis=1))
            left, right = self.pixels(array="J_1_abs")
            self.assertGreater(left, 20000)
            self.assertLess(abs(right / left - 1), 0.03)

    def test_rounding_is_no_extent_and_corners_of_strips_have_the_mean(self):
        write_currents(self.folder / "currents.vtkhdf", [[0, 0, -1e-17], [1, 0, 0], [1, 4e-3, 1e-17], [0, 4e-3, 0]])
        drawn = []
        with unittest.mock.patch.object(pyvista.Plotter, "add_mesh", lambda scene, part, **options: drawn.append(part)):
            figure = space.currents(self.result, limit=4)
        self.assertRegex(figure.axes[0].get_title(), r"1000 x 4 x 0 mm$")
        decibels = np.sort(drawn[0].point_data["shown"])  # 1 and 3 A/m relative to 4, where they meet between
        np.testing.assert_allclose(decibels, 20 * np.log10([1 / 4, 3**0.5 / 4, 3**0.5 / 4, 3 / 4]), atol=1e-3)

    def test_sides_of_a_sheet_show_the_greater_current(self):
        sheet = pyvista.Plane().triangulate()
        both = pyvista.merge([sheet, sheet, pyvista.Plane((0, 0, 1)).triangulate()], merge_points=False)
        n = sheet.n_cells
        self.assertEqual(space.of_both_sides(both, np.repeat([1.0, 2, 0], n)).tolist(), np.repeat([2.0, 2, 0], n).tolist())

    def test_parallel_films_have_a_panel_each(self):
        both = pyvista.merge([pyvista.Plane((0, 0, z)).triangulate() for z in (0.0, 0.1)], merge_points=False)
        axis, levels = space.films(both.extract_surface(algorithm="dataset_surface"))
        self.assertEqual(axis, 2)
        np.testing.assert_allclose(levels, [0, 0.1], atol=1e-5)
        self.assertIsNone(space.films(pyvista.Sphere()))

    def test_the_first_wave_and_all_ports_combined_come_first(self):
        names = {"J_2_abs": 0, "J_1_abs": 0, "M_1_abs": 0, "J_1_re": 0}
        self.assertEqual(space.choose_array(names, None, "JD"), "J_1_abs")
        self.assertEqual(space.choose_array({**names, "J_combined_abs": 0}, None, "JD"), "J_combined_abs")

    def test_says_what_is_wrong(self):
        write_currents(self.folder / "currents.vtkhdf", self.square)
        with self.assertRaisesRegex(CurlewError, "J_1_abs, J_1_re, J_2_abs, M_1_abs"):
            space.currents(self.result, array="E_abs")


def dipole(thetas, phis):
    """Rows of a short dipole along z."""
    gain = [10 * math.log10(max(1.5 * math.sin(math.radians(t)) ** 2, 1e-12)) for t in thetas]
    return pd.DataFrame([(1e9, "feed", t, p, g) for t, g in zip(thetas, gain) for p in phis],
                        columns=["frequency_hz", "port", "theta_deg", "phi_deg", "gain_dbi"])


class Patterns(unittest.TestCase):
    def test_all_ports_combined_stand_for_the_ports(self):
        table = pd.concat([dipole([90], [0, 90]), dipole([90], [0, 90]).assign(port="combined")])
        self.assertEqual(list(space.one_pattern(table)[2]), ["combined"])

    def test_the_body_is_as_far_as_its_gain(self):
        body = space.pattern_body(space.one_pattern(dipole(range(5, 176, 5), range(0, 360, 15)))[2]["feed"])
        away = np.linalg.norm(body.points, axis=1)
        sine = np.hypot(body.points[:, 0], body.points[:, 1]) / away
        np.testing.assert_allclose(away, 1 + 20 * np.log10(sine) / space.BODY, atol=1e-5)
        self.assertEqual(body.n_cells, 34 * 24)  # closed behind 345 degrees

    def test_the_colour_of_a_body_is_its_gain(self):
        table = dipole(range(0, 181, 10), range(0, 360, 15))
        table.gain_dbi += np.linspace(0, 3, len(table))  # no two points alike
        body = space.pattern_body(space.one_pattern(table)[2]["feed"])
        away, top = np.linalg.norm(body.points, axis=1), table.gain_dbi.max()
        np.testing.assert_allclose(np.maximum(top + space.BODY * (away - 1), top - space.BODY), body.point_data["dB"], atol=1e-4)


class Tables(unittest.TestCase):
    def test_a_matrix_has_its_tiles(self):
        image = tables.matrix(pd.DataFrame({"row": [0, 84], "column": [0, 84], "entries": [10, 1000]}), "").axes[0].images[0]
        np.testing.assert_array_equal(np.nan_to_num(image.get_array().filled(np.nan), nan=-1), [[1, -1], [-1, 3]])

    def test_modes_without_losses_have_no_quality(self):
        axes = tables.modes([{"frequency_hz": 1e9, "q": None}], [], "").axes[0]
        self.assertEqual(axes.get_ylabel(), "no losses")


class Shared(unittest.TestCase):
    """charts.json, which report.html uses too."""

    def test_labels_say_units(self):
        units = {"_hz": "Hz", "_deg": "(degrees)", "_dbi": "(dBi)", "_dbsm": "(dBsm)", "_dbm": "(dBm)", "_ns": "(ns)", "_a_per_m": "(A/m)", "s_m": "(m)"}
        for name, about in style.TABLE["quantities"].items():
            for end, unit in units.items():
                if name.endswith(end) and end != "_hz":
                    self.assertTrue(about["label"].endswith(unit), f"{name}: {about['label']}")

    def test_maps_are_those_of_matplotlib(self):
        for about in style.TABLE["maps"].values():
            exact = 255 * matplotlib.colormaps[about["name"]](np.linspace(0, 1, len(about["stops"])))[:, :3]
            np.testing.assert_allclose(about["stops"], exact, atol=0.51)

    def test_columns_of_the_list_are_columns_of_the_programs(self):
        from curlew_em.results import units

        for chart in style.TABLE["charts"]:
            for column in (chart["x"], *chart["y"], *chart["by"]):
                self.assertTrue(column in units() or column in ("contour", "probe", "port"), column)


class Folders(InFolder):
    def test_draws_what_a_run_has_left(self):
        self.assertIn("no folder of results", run("plot", self.place.name).stderr)
        self.assertIn("--resume and without --no-report writes it", run("plot", self.folder).stderr)
        write_page(self.folder)
        self.assertRegex(run("plot", self.folder).stderr, "holds nothing to draw$")
        two_port(self.folder)
        curve = {"name": "S11", "x": [1, 2], "y": [-3, -4]}
        write_page(self.folder, chart_of(curve), chart_of(curve, picture="s_details"), chart_of(curve, picture=""))
        write_square(self.folder / "fields.vtkhdf")
        write_currents(self.folder / "currents.vtkhdf", Currents.square)
        (self.folder / "farfield.csv").write_text("broken\n")
        ended = run("plot", self.folder)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("pattern_3d: a far field has one of the columns", ended.stderr)
        for name in ("s.png", "s_details.png", "field.png", "currents.png"):
            self.assertIn(name, ended.stdout)
            self.assertGreater(matplotlib.image.imread(self.folder / name).std(), 0.03)
        self.assertEqual(run("plot", self.folder, "--only", "s", "--kind", "svg", "-o", self.folder / "svg").returncode, 0)
        self.assertIn("<svg", (self.folder / "svg/s.svg").read_text())

    def test_a_sweep_and_several_runs_are_families(self):
        for gap in (10, 11):
            two_port(self.folder / f"point_{gap}")
            write_page(self.folder / f"point_{gap}", chart_of({"name": "S11", "x": [1, 2], "y": [-3, -4]}))
        (self.folder / "sweep.csv").write_text("point,mesh.parameters.gap,status,s2_1_db\npoint_10,10,done,-1\npoint_11,11,done,-2\n")
        (self.folder / "summary.json").write_text(json.dumps({"sweep": [{"key": "mesh.parameters.gap"}]}))
        write_page(self.folder, chart_of({"name": "gap = 10", "x": [1, 2], "y": [-3, -4]}, family=True))
        self.assertEqual([path.name for path in plot(self.folder)], ["s.png"])
        self.assertEqual(Sweep(self.folder).s.dims, ("frequency_hz", "to", "from", "mesh.parameters.gap"))
        ended = run("plot", self.folder / "point_10", self.folder / "point_11", "--labels", "a", "b", "-o", self.folder / "two")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue((self.folder / "two/s.png").exists())

    def test_a_touchstone_file_is_a_result(self):
        (self.folder / "two.s2p").write_text("# Hz S RI R 50\n1e9 0.5 0 0.5 0 0.5 0 0.5 0\n2e9 0.2 0 0.9 0 0.9 0 0.2 0\n")
        self.assertEqual([path.name for path in plot(self.folder / "two.s2p")], ["two.png", "two_details.png"])
        self.assertIn("not a Touchstone file", run("plot", self.folder / "none.s2p").stderr)

    def test_a_page_shows_fields_and_regions_without_a_network(self):
        write_currents(self.folder / "currents.vtkhdf", Currents.square)
        with h5py.File(self.folder / "currents.vtkhdf", "a") as file:
            file["VTKHDF/CellData/J_1_im"] = np.zeros((2, 3))
        write_model(self.folder, "", {"strip": (Currents.square, [[0, 1, 2], [0, 2, 3]])})
        ball = {"name": "feed", "theta": [0, 90], "phi": [0, 180, 360], "db": [[0, 0, 0], [1, 1, 1]]}
        (self.folder / "report.html").write_text(f'<script class="body">{json.dumps({"patterns": [ball]})}</script>')
        text = page.view(self.folder, self.folder / "view.html").read_text()
        shown = body_of(text)
        self.assertEqual([part["name"] for part in shown["parts"]], ["J of wave 1, step 0", "strip"])
        self.assertAlmostEqual(shown["parts"][0]["limit"], 3, places=1)
        self.assertEqual(shown["patterns"], [ball])
        self.assertNotIn("http:", text.replace("http://www.w3.org/2000/svg", ""))
        config = '[[port]]\nregion = "strip"\n[[boundary]]\nregion = "st*"\ntype = "pec"\n'
        write_model(self.folder, config, {"strip": (Currents.square, [[0, 1, 2], [0, 2, 3]])})
        part = body_of(page.view(self.folder, self.folder / "view.html").read_text())["parts"][1]
        self.assertEqual((part["name"], part["on"]), ("strip: port", True))
        write_model(self.folder, config.replace("pec", "lumped").replace("port", "probe"), {"strip": (Currents.square, [[0, 1, 2], [0, 2, 3]])})
        parts = body_of(page.view(self.folder, self.folder / "view.html").read_text())["parts"]
        self.assertEqual((parts[1]["name"], parts[1]["on"]), ("strip: lumped", True))
        self.assertFalse(parts[0]["is_cut"])  # currents are in front of their metal, a cut of the field is behind it
        with self.assertRaisesRegex(CurlewError, "missing or is not an HDF5 file"):
            page.view(write_summary(self.folder / "empty").folder, self.folder / "x.html")

    def browse(self, script, with_graphics=False):
        """What a script in view.html makes the title of the page; `most()` is the red and green of most pixels of the body, by hand or by WebGL."""
        most = """const most = () => { const body = document.querySelector("canvas"), copy = document.createElement("canvas"), found = {};
          copy.width = body.width, copy.height = body.height;
          const pen = copy.getContext("2d", {willReadFrequently: true});
          pen.drawImage(body, 0, 0);
          const data = pen.getImageData(0, 0, copy.width, copy.height).data;
          for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) found[`${data[i]},${data[i + 1]}`] = 1 + (found[`${data[i]},${data[i + 1]}`] || 0);
          return Object.keys(found).reduce((a, b) => found[a] > found[b] ? a : b); };
          const choose = (number, value) => { const list = document.querySelectorAll("select")[number]; list.value = value, list.oninput({target: list}); };
          const at = phase => { const slider = document.querySelector("input[type=range]"); slider.value = phase, slider.oninput(); };"""
        text = (self.folder / "view.html").read_text()
        (self.folder / "view.html").write_text(text.replace("</body>", f"<script>onload = async () => {{ {most} {script} }}</script></body>"))
        kind = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if with_graphics else ["--disable-3d-apis"]
        ended = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", *kind, "--enable-logging=stderr", "--v=0", f"--user-data-dir={self.folder}/profile",
                                "--virtual-time-budget=5000", "--dump-dom", f"file://{self.folder}/view.html"], capture_output=True, text=True, timeout=100)
        harmless = ("willReadFrequently", "GL Driver Message", "CONTEXT_LOST_WEBGL")
        self.assertEqual([line for line in ended.stderr.splitlines() if "CONSOLE" in line and not any(word in line for word in harmless)], [])
        return re.search("<title>(.*?)</title>", ended.stdout)[1].split()

    def write_view(self):
        """view.html of a real current and a pattern without a direction."""
        write_currents(self.folder / "currents.vtkhdf", Currents.square)
        with h5py.File(self.folder / "currents.vtkhdf", "a") as file:
            file["VTKHDF/CellData/J_1_im"] = np.zeros((2, 3))
        ball = {"name": "feed", "theta": [*range(0, 181, 30)], "phi": [*range(0, 361, 30)], "db": [[0] * 13] * 7}
        (self.folder / "report.html").write_text(f'<script class="body">{json.dumps({"patterns": [ball]})}</script>')
        page.view(self.folder, self.folder / "view.html")

    @unittest.skipUnless(shutil.which("chromium"), "no Chromium")
    def test_a_browser_shows_the_page_and_turns_the_phase(self):
        self.write_view()
        # At 90 degrees a real current is zero, the dark end of the map; at 0 it is not.
        dark, bright = self.browse("const seen = []; for (const phase of [90, 0]) at(phase), seen.push(most()); document.title = seen.join(' ');")
        stops = np.array(style.TABLE["maps"]["size"]["stops"])
        of_a_third = [np.interp(8 * (1 / 3) ** 0.4, range(9), stops[:, k]) for k in (0, 1)]  # 1 of 3 A/m, on one of two equal triangles
        self.assertEqual(dark, "0,0")
        np.testing.assert_allclose([int(v) for v in bright.split(",")], of_a_third, atol=1)

    @unittest.skipUnless(shutil.which("chromium"), "no Chromium")
    def test_a_phase_leaves_a_pattern_as_it_is(self):
        largest = ",".join(str(v) for v in style.TABLE["maps"]["pattern"]["stops"][-1][:2])
        for with_graphics in (False, True):
            self.write_view()
            seen = self.browse("""at(90), document.querySelector("button").onclick(), choose(0, 1);
              const before = document.querySelector("input[type=range]").value, seen = most();
              await new Promise(done => setTimeout(done, 500));
              const after = document.querySelector("input[type=range]").value;
              at(0), at(90);
              document.title = `${seen} ${most()} ${before} ${after}`;""", with_graphics)
            self.assertEqual(seen, [largest, largest, "90", "90"], with_graphics)

    @unittest.skipUnless(shutil.which("chromium"), "no Chromium")
    def test_a_view_follows_the_height_of_its_window(self):
        self.write_view()
        self.assertEqual(self.browse("innerHeight = 321, dispatchEvent(new Event('resize')); document.title = document.querySelector('canvas').style.height;"), ["321px"])

    @unittest.skipUnless(shutil.which("chromium"), "no Chromium")
    def test_a_body_whose_graphics_are_lost_is_drawn_by_hand(self):
        self.write_view()
        seen = self.browse("""choose(0, 1);
          const body = document.querySelector("canvas"), graphics = body.getContext("webgl2"), seen = most();
          graphics.getExtension("WEBGL_lose_context").loseContext();
          await new Promise(done => setTimeout(done, 500));
          const tall = () => document.querySelector("svg").outerHTML, before = tall(), keys = document.querySelector("canvas").onkeydown;
          keys({key: "ArrowUp", preventDefault() {}});
          document.title = `${seen} ${most()} ${document.querySelectorAll("canvas").length} ${before !== tall()} ${document.querySelector("canvas") === body}`;""", True)
        self.assertEqual(seen[0], seen[1])
        self.assertEqual(seen[2:], ["1", "true", "false"])

    def test_regions_come_in_the_order_of_their_numbers(self):
        write_model(self.folder, "", {f"surface_{n}": (Currents.square, [[0, 1, 2]]) for n in range(12)})
        parts = body_of(page.view(self.folder / "solution.h5", self.folder / "view.html").read_text())["parts"]
        self.assertEqual([part["name"] for part in parts], [f"surface_{n}" for n in range(12)])

    def test_a_closed_box_is_off_if_it_hides_other_surfaces(self):
        box, end, strip = pyvista.Box((0, 2, 0, 1, 0, 1)), pyvista.Plane((0, 0.5, 0.5), (1, 0, 0)), pyvista.Plane((1, 0.5, 0.5), (0, 0, 1), 1.5, 0.5)
        self.assertEqual(page.hiding({"box": box, "port": end}), [])
        self.assertEqual(page.hiding({"box": box, "port": end, "strip": strip}), ["box"])
        write_model(self.folder, "", {name: ([*s.points], [*s.triangulate().regular_faces]) for name, s in (("box", box), ("strip", strip))})
        parts = body_of(page.view(self.folder / "solution.h5", self.folder / "view.html").read_text())["parts"]
        self.assertEqual({part["name"]: part["on"] for part in parts}, {"box": False, "strip": True})


class Words(unittest.TestCase):
    def test_the_examples_of_the_docstrings_hold(self):
        import doctest

        for name in ("toml", "results", "draw.style"):
            found = doctest.testmod(importlib.import_module(f"curlew_em.{name}"))
            self.assertEqual(found.failed, 0, name)
            self.assertGreater(found.attempted, 0, name)


if __name__ == "__main__":
    unittest.main()
