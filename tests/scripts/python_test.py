# SPDX-License-Identifier: BSD-3-Clause
"""curlew_em runs the programs and reads what they write. Usage: python_test.py BIN SOURCE_DIR"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

try:
    import h5py
    import numpy as np
    import pyvista
    import skrf
    import xarray

    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10
        import tomli as tomllib
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

BIN, SOURCE = (pathlib.Path(argument).resolve() for argument in (sys.argv.pop(1), sys.argv.pop(1)))
sys.path.insert(0, str(SOURCE / "python"))
os.environ["PATH"] = f"{BIN}:{os.environ['PATH']}"
import curlew_em as curlew  # noqa: E402
from curlew_em import toml  # noqa: E402

COARSE = {"frequency.values": [9e9, 10e9], "space.order": 1, "output.fields": True}


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="curlew-python-")
        cls.folder = pathlib.Path(cls.place.name)
        os.chdir(cls.folder)
        subprocess.run(["fem-solve", "--new", "iris"], check=True, capture_output=True)
        text = (cls.folder / "iris.toml").read_text()
        (cls.folder / "iris.toml").write_text(text.replace("[8.2e9, 9e9, 10e9, 11e9, 12.4e9]", "[9e9, 10e9]"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", curlew.CurlewWarning)
            cls.run_ = curlew.run("fem-solve", "iris.toml", {**COARSE, "accuracy.estimate": "all"})
            cls.sweep = curlew.run("fem-solve", "iris.toml", {**COARSE, "accuracy.estimate": "off"},
                                   sweep={"mesh.parameters.gap": [11, 13], "mesh.size": [3, 4]})

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.place.cleanup()

    def test_s_is_that_of_the_touchstone_file(self):
        network = self.run_.network()
        self.assertIsInstance(network, skrf.Network)
        self.assertEqual(self.run_.s.dims, ("frequency_hz", "to", "from"))
        np.testing.assert_allclose(self.run_.s.values, network.s, atol=1e-12)
        self.assertEqual(list(self.run_.s["to"].values), network.port_names)
        self.assertEqual(self.run_.s.frequency_hz.attrs["units"], "Hz")
        # Without losses the power that goes in comes out.
        np.testing.assert_allclose((abs(self.run_.s) ** 2).sum("to"), 1, atol=1e-3)

    def test_bars_stand_beside_s(self):
        errors = self.run_.s_error
        rows = self.run_.table("errors.csv")
        row = rows[(rows.quantity == "S21") & (rows.frequency_hz == 10e9)].iloc[0]
        self.assertAlmostEqual(float(errors.sel(frequency_hz=10e9)[1, 0]), row.error)

    def test_tables_have_axes_complex_numbers_and_units(self):
        ports = self.run_.dataset("ports.csv")
        self.assertEqual(set(ports.beta_per_m.dims), {"frequency_hz", "port", "mode"})
        self.assertEqual(ports.beta_per_m.attrs["units"], "1/m")
        self.assertTrue(np.iscomplexobj(ports.z0_ohm))
        exact = np.sqrt((2 * np.pi * 10e9 / 299792458) ** 2 - (np.pi / 0.02286) ** 2)
        np.testing.assert_allclose(ports.beta_per_m.sel(frequency_hz=10e9, port="port1").max(), exact, rtol=1e-6)
        with self.assertRaisesRegex(curlew.CurlewError, "holds no rcs.csv"):
            self.run_.table("rcs.csv")

    def test_swept_keys_are_dimensions(self):
        s = self.sweep.s
        self.assertEqual(s.sizes, {"frequency_hz": 2, "to": 2, "from": 2, "gap": 2, "size": 2})
        one = curlew.load(self.sweep.folder / "point_0003").s  # gap 13, size 3
        np.testing.assert_array_equal(s.sel(gap=13, size=3), one)
        # A wider gap lets more through.
        self.assertTrue((abs(s).isel({"to": 1, "from": 0}).diff("gap") > 0).all())
        networks = self.sweep.network()
        self.assertEqual(len(networks), 4)
        self.assertEqual(networks[2].params, {"gap": 13, "size": 3})
        self.assertEqual(set(self.sweep.dataset("sweep.csv").s2_1_db_max.dims), {"gap", "size"})
        self.assertEqual(self.sweep.dataset("ports.csv").beta_per_m.sizes["size"], 2)

    def test_a_point_that_failed_is_nan(self):
        with self.assertRaises(curlew.CurlewError):
            curlew.run("fem-solve", "iris.toml", {**COARSE, "accuracy.estimate": "off"}, output="results/half",
                       sweep={"mesh.parameters.gap": [12, -1], "mesh.size": [3, 4]})
        half = curlew.load("results/half")
        self.assertEqual(len(half.points), 2)
        self.assertTrue(np.isfinite(half.s.sel(gap=12)).all())

    def test_fields_and_regions_are_of_pyvista(self):
        with self.assertWarnsRegex(curlew.CurlewWarning, r"no fields at 9.1e\+09; these are at 9e\+09"):
            fields = self.run_.fields(9.1e9)
        with warnings.catch_warnings():
            warnings.simplefilter("error", curlew.CurlewWarning)
            self.run_.fields(9e9), self.run_.fields()
        self.assertIsInstance(fields, pyvista.UnstructuredGrid)
        self.assertEqual(fields.field_data["step"][0], 9e9)
        self.assertIn("E_abs", fields.point_data)
        regions = self.run_.regions()
        self.assertAlmostEqual(regions["port1"].area, 0.02286 * 0.01016, places=12)
        length = np.ptp(fields.bounds[4:])
        self.assertAlmostEqual(regions["air"].volume + regions["slab"].volume, 0.01016 * (0.02286 * length - 2e-3 * (0.02286 - 0.012)),
                               places=12)

    def test_a_geometry_is_seen_before_a_run(self):
        curlew_ = f'#!/bin/sh\nexec "{sys.executable}" "{SOURCE}/scripts/curlew" "$@"\n'
        (self.folder / "bin").mkdir()
        (self.folder / "bin/curlew").write_text(curlew_)
        (self.folder / "bin/curlew").chmod(0o755)
        look = ["em-mesh", "iris.geo", "--unit", "mm", "--size", "6", "--view", "-o", "iris.html"]
        path = os.environ["PATH"]
        ended = subprocess.run(look, capture_output=True, text=True, env={**os.environ, "PATH": f"{self.folder / 'bin'}:{path}"})
        self.assertEqual(ended.returncode, 0, ended.stderr)
        page = (self.folder / "iris.html").read_text()
        for region in ("walls", "port1", "port2", "air", "slab"):
            self.assertIn(f'"{region}"', page)
        ended = subprocess.run([shutil.which("em-mesh"), *look[1:]], capture_output=True, text=True, env={**os.environ, "PATH": "/nowhere"})
        self.assertEqual(ended.returncode, 3)
        self.assertIn("there is no command curlew: pip install", ended.stderr)

    def test_metal_and_regions_stand_beside_the_field(self):
        fields, surfaces = self.run_.fields(9e9), self.run_.fields(file="surfaces.vtkhdf")
        names = {file: {array: h5py.File(self.run_.folder / file)[f"VTKHDF/CellData/{array}"].attrs["description"].split(": ")[1].split(", ")}
                 for file, array in (("fields.vtkhdf", "volume"), ("surfaces.vtkhdf", "surface"))}
        number = {name.split(" ", 1)[1]: int(name.split()[0]) for arrays in names.values() for list_ in arrays.values() for name in list_}
        regions = self.run_.regions()
        # The areas and volumes of the arrays' numbers are those of the regions of the mesh.
        for name, grid, array, size in (("walls", surfaces, "surface", "Area"), ("port1", surfaces, "surface", "Area"), ("air", fields, "volume", "Volume"),
                                        ("slab", fields, "volume", "Volume")):
            part = grid.extract_cells(np.asarray(grid.cell_data[array]) == number[name])
            found = part.compute_cell_sizes()[size].sum()
            self.assertAlmostEqual(found / (regions[name].area if size == "Area" else regions[name].volume), 1, places=5, msg=name)

    def test_a_dictionary_is_a_config(self):
        with open("iris.toml", "rb") as file:
            config = tomllib.load(file)
        config["material"][0]["epsilon_r"] = 1 - 0.0j
        self.assertEqual(tomllib.loads(toml.text(config))["material"][0]["epsilon_r"], [1, 0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", curlew.CurlewWarning)
            again = curlew.run(None, config, COARSE, output="results/again")
        np.testing.assert_allclose(again.s.values, self.run_.s.values, atol=1e-9)

    def test_warnings_are_pythons(self):
        with self.assertWarnsRegex(curlew.CurlewWarning, "fem-solve: warning: "):
            curlew.run("fem-solve", "iris.toml", {**COARSE, "mesh.size": 12}, output="results/warned")

    def test_errors_say_where(self):
        (self.folder / "wrong.toml").write_text((self.folder / "iris.toml").read_text().replace('"walls"', '"wals"'))
        with self.assertRaisesRegex(curlew.CurlewError, '"wals"') as caught:
            curlew.run("fem-solve", "wrong.toml")
        self.assertEqual((caught.exception.status, caught.exception.file), (2, "wrong.toml"))
        self.assertIn("wals", "".join((self.folder / "wrong.toml").read_text().splitlines()[caught.exception.line - 1:][:2]))
        with self.assertRaisesRegex(curlew.CurlewError, "no folder of results: it is not there"):
            curlew.load("nowhere")
        with self.assertRaisesRegex(curlew.CurlewError, "fem-sove is neither"):
            curlew.run("fem-sove", "iris.toml")

    def test_what_a_run_needs_and_what_it_said(self):
        said = curlew.dry_run("fem-solve", "iris.toml", COARSE)
        self.assertRegex(said, r"unknowns +\d+\n")
        self.assertIn("together", said)
        self.assertEqual(self.run_.warnings, self.run_.summary["warnings"])
        with self.assertRaisesRegex(curlew.CurlewError, r"holds no farfield.csv \(tables: errors.csv, ports.csv\)"):
            self.run_.dataset("farfield.csv")

    def test_a_notebook_shows_main_numbers(self):
        self.assertIn("s2_1_db_max", self.run_._repr_html_())
        self.assertIn("gap = 13", self.sweep._repr_html_())

    def test_each_shipped_config_is_for_its_program(self):
        # em-lint names the program by the config's tables; the keys that each program knows tell it apart without that.
        schemas = {name: json.loads(subprocess.run([name, "--keys", "json"], capture_output=True, text=True, check=True).stdout)
                   for name in ("fem-solve", "fe-iiee", "ie-solve", "mom2d")}
        for path in sorted((SOURCE / "configs").glob("*.toml")):
            name = curlew.program_of(path)
            if name in schemas:
                with open(path, "rb") as file:
                    self.assertEqual(list(unknown(tomllib.load(file), schemas[name])), [], f"{path.name} for {name}")


def unknown(value, schema):
    """Keys of a config that a schema does not have."""
    if isinstance(value, dict):
        for key, inner in value.items():
            known = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if known:
                yield from unknown(inner, known) if isinstance(known, dict) else ()
            elif known is False:
                yield key
    elif isinstance(value, list):
        for inner in value:
            yield from unknown(inner, schema.get("items", {}))


class Geometry(unittest.TestCase):
    """Models of Gmsh's Python API as [mesh] file."""

    def setUp(self):
        try:
            import gmsh
        except (ImportError, OSError) as missing:
            self.skipTest(str(missing))
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        gmsh.initialize()
        self.addCleanup(gmsh.finalize)
        gmsh.option.setNumber("General.Terminal", 0)
        occ, self.model = gmsh.model.occ, gmsh.model
        occ.addBox(50, 50, 50, 1, 1, 1)  # so that the tags of the others are not those of a file that is read
        guide, plug = occ.addBox(0, 0, 0, 22.86, 10.16, 20), occ.addBox(0, 0, 0, 22.86, 10.16, 7)
        occ.remove([(3, 1)], recursive=True)
        parts, _ = occ.fragment([(3, guide)], [(3, plug)])
        occ.synchronize()
        at = {name: [tag for _, tag in self.model.getEntitiesInBoundingBox(-1, -1, z - 0.1, 24, 11, z + 0.1, 2)] for name, z in (("in", 0), ("out", 20))}
        ends = sum(at.values(), [])
        at["walls"] = [tag for _, tag in self.model.getBoundary(parts, oriented=False) if tag not in ends]
        for name, tags in at.items():
            self.model.addPhysicalGroup(2, tags, name=name)
        for _, tag in parts:
            self.model.addPhysicalGroup(3, [tag], name="plug" if self.model.occ.getCenterOfMass(3, tag)[2] < 7 else "air")
        self.config = {"mesh": {"file": self.model, "unit": "mm"}, "frequency": {"values": [8e9]}, "boundary": [{"region": "walls", "type": "pec"}],
                       "material": [{"region": "air"}, {"region": "plug", "epsilon_r": 2.25}], "port": [{"region": "in"}, {"region": "out"}]}
        self.output = pathlib.Path(self.place.name, "guide")

    def test_a_model_without_sizes_is_refined(self):
        run = curlew.run("fem-solve", self.config, output=self.output)
        self.assertTrue(run.results["refinement"]["converged"])
        # A step between two guides: z = eta k0 / beta, and 7 and 13 mm of line.
        k0, kc = 2 * np.pi * 8e9 / 299792458, np.pi / 0.02286
        beta = np.sqrt(np.array([2.25, 1]) * k0**2 - kc**2)
        step, line = (beta[0] - beta[1]) / beta.sum(), np.exp(-1j * beta * [7e-3, 13e-3])
        exact = [[step * line[0]**2, np.sqrt(1 - step**2) * line.prod()], [np.sqrt(1 - step**2) * line.prod(), -step * line[1]**2]]
        np.testing.assert_allclose(run.s.values[0], exact, atol=0.02)
        areas = {name: region.area for name, region in run.regions().items() if name in ("in", "out", "walls")}
        for name, area in (("in", 22.86 * 10.16), ("out", 22.86 * 10.16), ("walls", 2 * 20 * (22.86 + 10.16))):
            self.assertAlmostEqual(areas[name] * 1e6, area, places=6, msg=name)

    def test_sizes_of_the_model_are_one_mesh_unless_passes_are_asked_for(self):
        self.model.mesh.setSize(self.model.getEntities(0), 5)
        for asked, ending in ({}, ".msh"), ({"refinement": {}}, ".geo"):
            config = curlew.programs._written({**self.config, **asked}, self.output)
            with open(config, "rb") as file:
                self.assertEqual(tomllib.load(file)["mesh"]["file"], f"guide{ending}")
        self.assertIn("= 5;", self.output.with_suffix(".geo").read_text())


class Example(unittest.TestCase):
    def test_the_example_of_the_documents_runs(self):
        try:
            import gmsh  # noqa: F401
        except (ImportError, OSError) as missing:
            self.skipTest(str(missing))
        with tempfile.TemporaryDirectory() as folder:
            ended = subprocess.run([sys.executable, SOURCE / "docs/examples/iris.py"], cwd=folder, capture_output=True, text=True,
                                   env={**os.environ, "PYTHONPATH": str(SOURCE / "python")})
            self.assertEqual(ended.returncode, 0, ended.stderr)
            through = curlew.load(pathlib.Path(folder) / "results/iris12_sweep").s.isel({"to": 1, "from": 0})
            self.assertEqual(through.sizes, {"frequency_hz": 5, "epsilon_r": 12})
            # By mode matching, abs(S11) = 0.76228 (configs/iris.toml): within the bar, which is not wide.
            bar = float(curlew.load(pathlib.Path(folder) / "results/iris12").s_error.sel(frequency_hz=10e9)[1, 0])
            self.assertAlmostEqual(float(abs(through.sel(frequency_hz=10e9)[0])), np.sqrt(1 - 0.76228**2), delta=bar)
            self.assertLess(bar, 0.05)


if __name__ == "__main__":
    unittest.main()
