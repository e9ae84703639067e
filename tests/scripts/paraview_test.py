# SPDX-License-Identifier: BSD-3-Clause
"""Results in ParaView itself. Usage: paraview_test.py BIN SOURCE_DIR. Exit status 77 where there is no pvpython.

A guide half a wave long: what ParaView's own filters find at random points against the elements' values,
the scene of `curlew paraview`, its state and its pictures."""
import csv
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import matplotlib.image
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
if not shutil.which("pvpython"):
    print("skipped: there is no pvpython (Debian: python3-paraview)")
    sys.exit(77)

SOURCE, BIN = pathlib.Path(sys.argv.pop(2)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
SCREEN_NUMBER = str(100 + os.getpid() % 30000)  # other tests look for free ones from 99 on
SCREEN = [] if "DISPLAY" in os.environ or not shutil.which("xvfb-run") else ["xvfb-run", "-a", "-n", SCREEN_NUMBER]

RESAMPLED = """
import sys
from paraview import simple
fields, points, out = sys.argv[1:]
reader = simple.VTKHDFReader(FileName=fields)
table = simple.CSVReader(FileName=[points])
cloud = simple.TableToPoints(Input=table, XColumn="x", YColumn="y", ZColumn="z")
found = simple.ResampleWithDataset(SourceDataArrays=reader, DestinationMesh=cloud)
found.CellLocator = "Static Cell Locator"
simple.SaveData(out, proxy=found, PointDataArrays=["E_re", "E_im", "vtkValidPointMask"], Precision=12)
"""

LOADED = """
import sys
from paraview import simple
simple.LoadState(sys.argv[1])
simple.GetAnimationScene().GoToFirst()
simple.SaveScreenshot(sys.argv[2], simple.GetLayout())
"""


def pvpython(*arguments):
    return subprocess.run([*SCREEN, "pvpython", *map(str, arguments)], capture_output=True, text=True, timeout=300)


def scene(*arguments):
    return subprocess.run([*SCREEN, sys.executable, SOURCE / "scripts/curlew", "paraview", *map(str, arguments)], capture_output=True,
                          text=True, timeout=300)


def red_and_blue(picture):
    """Sums over a picture of how much red is above blue, and of how much it is below."""
    pixels = matplotlib.image.imread(picture)[:, :, :3].astype(float)
    difference = pixels[:, :, 0] - pixels[:, :, 2]
    return difference[difference > 0].sum(), -difference[difference < 0].sum()


class ParaView(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="curlew-paraview-")
        cls.folder = pathlib.Path(cls.place.name)
        numbers = random.Random(1)
        cls.points = [[numbers.uniform(1e-4, high - 1e-4) for high in (0.02286, 0.01016, 0.03)] for _ in range(100)]
        positions = [[1000 * x for x in point] for point in cls.points]
        text = (SOURCE / "configs/wr90.toml").read_text().replace("../meshes", f"{SOURCE}/meshes")
        (cls.folder / "case.toml").write_text(
            text + f'\n[[output.near_field]]\nname = "p"\npositions = {positions}\n')
        cls.out = cls.folder / "out"
        subprocess.run([BIN / "fem-solve", cls.folder / "case.toml", "-q", "--output", cls.out, "--set",
                        "frequency={values=[8.244e9]}", "--set", "output.fields=true"], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_resampling_finds_the_elements_own_values(self):
        (self.folder / "resample.py").write_text(RESAMPLED)
        with open(self.folder / "points.csv", "w") as file:
            csv.writer(file).writerows([["x", "y", "z"], *self.points])
        ended = pvpython(self.folder / "resample.py", self.out / "fields.vtkhdf", self.folder / "points.csv",
                         self.folder / "found.csv")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        with open(self.folder / "found.csv") as file:
            found = list(csv.DictReader(file))
        with open(self.out / "near_p.csv") as lines:
            own = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        self.assertEqual(len(found), 100)
        of_paraview = np.array([[complex(float(r[f"E_re:{i}"]), float(r[f"E_im:{i}"])) for i in range(3)] for r in found])
        of_elements = np.array([[complex(float(r[f"re_e{x}"]), float(r[f"im_e{x}"])) for x in "xyz"] for r in own[:100]])
        largest = np.abs(of_elements).max()
        self.assertTrue(all(float(r["vtkValidPointMask"]) == 1 for r in found))
        self.assertLess(np.linalg.norm(of_paraview - of_elements, axis=1).max(), 0.01 * largest)

    def test_the_wave_turns_its_sign_in_half_a_period(self):
        frames, state, picture = self.folder / "frames", self.folder / "scene.pvsm", self.folder / "scene.png"
        ended = scene(self.out, "--component", "y", "--animation", frames, "--frames", 4, "--state", state,
                      "--picture", picture)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        pictures = sorted(frames.glob("*.png"))
        self.assertEqual(len(pictures), 4)
        # The guide is half a wave long: at two phases, half a period apart, its field is of one sign, and half of it between.
        colours = np.array([red_and_blue(picture) for picture in pictures])
        sign = (colours[:, 0] - colours[:, 1]) / colours.sum(axis=1)
        self.assertEqual(sorted(np.round(sign[:2])), [0, 1])
        self.assertEqual(sorted(np.round(sign[2:])), [-1, 0])
        np.testing.assert_array_equal(matplotlib.image.imread(picture), matplotlib.image.imread(pictures[0]))

        (self.folder / "load.py").write_text(LOADED)
        ended = pvpython(self.folder / "load.py", state, self.folder / "again.png")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        np.testing.assert_allclose(red_and_blue(self.folder / "again.png"), colours[0], rtol=0.3)

    def test_the_pattern_is_as_far_as_its_gain(self):
        folder = self.folder / "dipole"
        folder.mkdir(exist_ok=True)
        with open(folder / "farfield.csv", "w") as file:
            file.write("# a short dipole\nfrequency_hz,port,theta_deg,phi_deg,gain_dbi\n")
            for theta in range(5, 176, 5):
                for phi in range(0, 361, 15):
                    gain = 10 * math.log10(1.5 * math.sin(math.radians(theta)) ** 2)
                    file.write(f"1e9,feed,{theta},{phi},{gain}\n")
        ended = scene(folder, "--picture", self.folder / "dipole.png")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("gain_dbi at most 1.76", ended.stdout)
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(folder / "pattern.vtp"))
        reader.Update()
        surface = reader.GetOutput()
        points = vtk_to_numpy(surface.GetPoints().GetData())
        away = np.linalg.norm(points, axis=1)
        sine = np.hypot(points[:, 0], points[:, 1]) / away
        np.testing.assert_allclose(away, 1 + 20 * np.log10(sine) / 30, atol=1e-5)
        self.assertEqual(surface.GetNumberOfCells(), 34 * 24)

    def test_currents_of_several_waves_are_those_of_the_first(self):
        folder = self.folder / "waves"
        folder.mkdir(exist_ok=True)
        with h5py.File(folder / "currents.vtkhdf", "w") as file:
            root = file.create_group("VTKHDF")
            root.attrs["Version"] = (1, 0)
            root.attrs.create("Type", b"UnstructuredGrid", dtype="S16")
            root["NumberOfPoints"], root["NumberOfCells"], root["NumberOfConnectivityIds"] = [3], [1], [3]
            root["Points"], root["Connectivity"] = np.eye(3), [0, 1, 2]
            root["Offsets"], root["Types"] = [0, 3], np.array([5], dtype=np.uint8)
            for wave, size in ((1, 1.0), (2, 0.0)):
                root[f"CellData/J_{wave}_re"], root[f"CellData/J_{wave}_im"] = [[size, 0.0, 0.0]], [[0.0, 0.0, 0.0]]
                root[f"CellData/J_{wave}_abs"] = [size]
        ended = scene(folder, "--picture", self.folder / "waves.png")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        pixels = matplotlib.image.imread(self.folder / "waves.png")[:, :, :3]
        self.assertGreater((pixels[:, :, 1] > pixels[:, :, 2] + 0.2).sum(), 20000)  # yellow, the bright end of the map

    def test_wrong_folders_and_cuts_are_named(self):
        self.assertIn("has none of fields.vtkhdf", scene(self.folder).stderr)
        self.assertIn("does not cut the mesh",
                      scene(self.out, "--at", 1).stderr)


unittest.main(verbosity=2)
