#!/usr/bin/env python3
"""Layouts, meshes and materials of other programs as input of a run.

Usage: exchange_test.py BIN SOURCE. Tests that need gdstk or meshio are left out if these are missing.
"""
import cmath
import importlib.util
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARIES, SOURCE = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
has = lambda module: importlib.util.find_spec(module) is not None

AMAT = """$begin '$base_index$'
\t$begin 'properties'
\t\tall_levels=000
\t$end 'properties'
$end '$base_index$'
$begin 'Rogers RO4350B'
\t$begin 'AttachedData'
\t\tred='1'
\t$end 'AttachedData'
\tpermittivity='3.66'
\tdielectric_loss_tangent='0.004'
$end 'Rogers RO4350B'
$begin 'copper'
\tpermeability='0.999991'
\tconductivity='58000000'
$end 'copper'
"""
MTD = """[Material Header]
[Definition]
     .Name "Board 1"
     .Type "Normal"
     .MaterialUnit "Frequency", "GHz"
     .Epsilon "4.3"
     .Mu "1.0"
     .TanD "0.025"
     .TanDGiven "True"
     .AddDispersionFittingValueEps "1", "4.4", "0.08", "1.0"
     .AddDispersionFittingValueEps "10.5", "4.2", "0.1", "1.0"
"""
# Two tetrahedra in separate sets and the face between them as a shell.
INP = """*HEADING
*NODE
1, 0., 0., 0.
2, 0., 1., 0.
3, 0., 0., 1.
4, 2., 0., 0.
5, -1., 0., 0.
*ELEMENT, TYPE=C3D4, ELSET=RIGHT
1, 1, 2, 3, 4
*ELEMENT, TYPE=C3D4, ELSET=LEFT
2, 1, 3, 2, 5
*ELEMENT, TYPE=S3, ELSET=WALL
3, 1, 2, 3
"""


class Exchange(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def run_script(self, name, *arguments, status=0):
        done = subprocess.run([sys.executable, SOURCE / "scripts" / name, *map(str, arguments)], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def program(self, name, *arguments):
        done = subprocess.run([BINARIES / name, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def test_materials_of_hfss(self):
        said = self.run_script("material-table", self.write("lib.amat", AMAT))
        self.assertIn("# Rogers RO4350B", said)
        self.assertIn("epsilon_r = 3.66\nloss_tangent = 0.004", said)
        self.assertIn("mu_r = 0.999991\nconductivity = 5.8e+07", said)
        self.assertNotIn("base_index", said)
        tensor = AMAT.replace("\tpermittivity='3.66'\n", "\t$begin 'permittivity'\n\t\tcomponent1='2'\n\t$end 'permittivity'\n")
        self.assertIn("tensor", self.run_script("material-table", self.write("lib.amat", tensor), status=1))

    def test_material_of_cst(self):
        self.assertIn('table = "Board_1.csv"', self.run_script("material-table", self.write("board.mtd", MTD)))
        self.assertEqual((self.folder / "Board_1.csv").read_text(),
                         "frequency_hz,epsilon_re,epsilon_im\n1000000000,4.4,-0.08\n10500000000,4.2,-0.1\n")
        constant = "\n".join(line for line in MTD.splitlines() if "Fitting" not in line)
        self.assertIn("epsilon_r = 4.3\nloss_tangent = 0.025", self.run_script("material-table", self.write("c.mtd", constant)))

    def test_a_table_is_what_a_run_reads(self):
        self.write("film.tab", "Freq [GHz]\ttan delta of er\n8\t2.5\t0.01\n12\t2.4\t0.02\n")
        with_loss = self.run_script("material-table", "film.tab")
        self.assertIn('table = "film.csv"', with_loss)
        self.assertIn("8000000000,2.5,-0.025\n", (self.folder / "film.csv").read_text())
        config = (SOURCE / "configs/wr90.toml").read_text().replace("../meshes", f"{SOURCE}/meshes")
        self.write("wr90.toml", config.replace("epsilon_r = 1.0", 'table = "film.csv"'))
        self.program("fem-solve", "wr90.toml", "-q", "--set", "frequency.values=[10e9]", "--set", "space.order=1", "--set", "accuracy.estimate=off", "-o", "out")
        lines = [line for line in (self.folder / "out/ports.csv").read_text().splitlines() if not line.startswith("#")]
        mode = dict(zip(lines[0].split(","), lines[1].split(",")))
        # Half way between the rows: 2.45 - 0.0365j.
        gamma = cmath.sqrt((math.pi / 22.86e-3) ** 2 - (2.45 - 0.0365j) * (2 * math.pi * 10e9 / 299792458) ** 2)
        self.assertAlmostEqual(float(mode["alpha_per_m"]), gamma.real, delta=1e-4 * gamma.real)
        self.assertAlmostEqual(float(mode["beta_per_m"]), gamma.imag, delta=1e-4 * gamma.imag)
        self.assertIn("--unit", self.run_script("material-table", self.write("bare.tab", "1 2 0\n2 2 0\n"), status=1))

    @unittest.skipUnless(has("meshio"), "meshio is not there")
    def test_sets_of_an_abaqus_mesh_are_regions(self):
        said = self.run_script("convert-mesh", self.write("two.inp", INP), "-o", "two.msh")
        self.assertIn("volume RIGHT: 1 elements", said)
        table = self.program("em-mesh", "two.msh", "--unit", "m", "--info")
        for region, contents in (("RIGHT", "0.333333"), ("LEFT", "0.166667"), ("WALL", "0.5")):
            row = next(line for line in table.splitlines() if line.startswith(region))
            self.assertIn(contents, row)

    @unittest.skipUnless(has("meshio"), "meshio is not there")
    def test_no_element_is_lost(self):
        shells = """*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 2, 0, 0
6, 2, 3, 0
*ELEMENT, TYPE=S4R, ELSET=PLATE
1, 1, 2, 3, 4
*ELEMENT, TYPE=S4R, ELSET=BENT
2, 2, 5, 6, 3
"""
        said = self.run_script("convert-mesh", self.write("shells.inp", shells), "-o", "shells.msh")
        self.assertIn("2 quadrilaterals: two triangles each", said)
        table = self.program("em-mesh", "shells.msh", "--unit", "m", "--info")
        rows = {line.split()[0]: line.split() for line in table.splitlines() if line.strip()}
        self.assertEqual(rows["PLATE"][1:], ["2", "1"])  # a square, and a trapezium with sides of 1 and 3
        self.assertEqual(rows["BENT"][1:], ["2", "2"])
        # Quadrilaterals of eight nodes are curved: two triangles of six would need one node more.
        curved = shells.replace("S4R, ELSET=BENT\n2, 2, 5, 6, 3", "S8R, ELSET=BENT\n2, 2, 5, 6, 3, 1, 1, 1, 1")
        self.assertIn("elements of type quad8", self.run_script("convert-mesh", self.write("c.inp", curved), "-o", "c.msh", status=1))

    @unittest.skipUnless(has("gdstk"), "gdstk is not there")
    def test_a_dipole_from_a_layout_has_the_impedance_of_one_from_a_script(self):
        import gdstk

        library = gdstk.Library(unit=1e-3, precision=1e-9)
        cell = library.new_cell("DIPOLE")
        # In two pieces that touch: one conductor.
        cell.add(gdstk.rectangle((-0.5, -235), (0.5, -100), layer=1), gdstk.rectangle((-0.5, -100), (0.5, 0), layer=1),
                 gdstk.rectangle((-0.5, 0), (0.5, 235), layer=2))
        library.write_gds(self.folder / "dipole.gds")
        self.run_script("gds-to-geo", "dipole.gds", "-o", "dipole.geo", "--metal", "1=lower@0", "--metal", "2=upper@0", "--size", 4)
        config = (SOURCE / "configs/dipole_strip.toml").read_text().split("[output]")[0]
        config = config.replace('../meshes/dipole_strip.geo', "dipole.geo").replace('unit = "m"', 'unit = "mm"')
        self.write("layout.toml", "\n".join(line for line in config.splitlines() if not line.startswith("parameters")))
        found = []
        for name, path in (("layout", "layout.toml"), ("script", SOURCE / "configs/dipole_strip.toml")):
            self.program("ie-solve", path, "-q", "-o", name, "--set", "accuracy.estimate=off")
            results = json.loads((self.folder / name / "summary.json").read_text())["results"]
            found.append(complex(*results["input_impedance_1_ohm"]))
        self.assertGreater(found[1].real, 50)
        self.assertLess(abs(found[0] - found[1]), 0.03 * abs(found[1]), found)

    @unittest.skipUnless(has("gdstk"), "gdstk is not there")
    def test_layers_of_a_board(self):
        import gdstk

        library = gdstk.Library(unit=1e-3, precision=1e-9)
        cell = library.new_cell("PATCH")
        cell.add(gdstk.rectangle((0, 0), (37, 28.5), layer=1), gdstk.rectangle((17, -10), (20, 0), layer=1),
                 gdstk.rectangle((-10, -10), (47, 40), layer=2))
        library.write_gds(self.folder / "patch.gds")
        self.run_script("gds-to-geo", "patch.gds", "-o", "patch.geo", "--metal", "1=patch@1.6", "--metal", "2=ground@0", "--slab",
                        "fr4=0:1.6", "--slab", "air=1.6:30", "--margin", 5, "--size", 5)
        table = self.program("em-mesh", "patch.geo", "--unit", "mm", "--size", 12, "--info")
        rows = {line.split()[0]: line.split() for line in table.splitlines() if line.strip()}
        self.assertAlmostEqual(float(rows["fr4"][2]), 67e-3 * 60e-3 * 1.6e-3, delta=1e-9)
        self.assertAlmostEqual(float(rows["patch"][2]), (37 * 28.5 + 30) * 1e-6, delta=1e-9)
        self.assertAlmostEqual(float(rows["ground"][2]), 57 * 50e-6, delta=1e-9)
        box = 2 * 67 * 60 + 2 * (67 + 60) * 30 - 57 * 50
        self.assertAlmostEqual(float(rows["outer"][2]), box * 1e-6, delta=1e-8)
        self.assertIn("layers: 1, 2", self.run_script("gds-to-geo", "patch.gds", "-o", "x.geo", "--metal", "7=x@0", status=1))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
