# SPDX-License-Identifier: BSD-3-Clause
"""scripts/circuit-model and scripts/time-domain on lines whose S is known in closed form. Usage: circuits_test.py SOURCE_DIR [BIN_DIR]

The subcircuit is run by ngspice, which does not use S: its steady states and transients are compared with the line's
formulas and with their inverse Fourier transform.
"""
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from run_script import run_script

try:
    import matplotlib.pyplot  # noqa: F401
    import numpy as np
    import skrf
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SOURCE_DIR = pathlib.Path(sys.argv.pop(1))
BIN_DIR = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None
SCRIPTS = SOURCE_DIR / "scripts"
SOURCE = 50.0  # [ohm] of source and load


def run(name, *arguments):
    return run_script(SCRIPTS / name, *arguments)


def s_of_line(gamma_length, impedance):
    """S [frequencies, 2, 2] against SOURCE of a line (Pozar (2012), table 4.1)."""
    a, b, c = np.cosh(gamma_length), impedance * np.sinh(gamma_length), np.sinh(gamma_length) / impedance
    sum_ = 2 * a + b / SOURCE + c * SOURCE
    s = np.empty((len(gamma_length), 2, 2), dtype=complex)
    s[:, 0, 0] = s[:, 1, 1] = (b / SOURCE - c * SOURCE) / sum_
    s[:, 0, 1] = s[:, 1, 0] = 2 / sum_
    return s


def lossy_line(f, length=0.02, resistance=100.0):
    """20 mm of 53 ohm, 100 ohm/m at 0 Hz, skin effect, a dielectric of loss tangent 0.01 (Djordjevic and Sarkar)."""
    w = 2 * np.pi * np.maximum(f, 1e-3)
    series = np.sqrt(resistance**2 + 1e-5j * w) + 2.8e-7j * w
    slope = 0.01 / (np.pi / 2 / np.log(10)) / 8
    epsilon = 1 + slope * np.log10((2e12 * np.pi + 1j * w) / (2e4 * np.pi + 1j * w))
    shunt = 1e-10j * w * epsilon
    return s_of_line(np.sqrt(series * shunt) * length, np.sqrt(series / shunt))


def write(folder, name, f, s):
    skrf.Network(f=f, f_unit="hz", s=s, z0=SOURCE, name=name).write_touchstone(dir=str(folder))
    return folder / f"{name}.s2p"


def columns(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return dict(zip(rows[0], np.array(rows[1:], dtype=float).T))


class TimeDomain(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def test_line_of_75_ohm(self):
        """A step sees 75 ohm for twice the delay, then 50.81 ohm (reflections 0.2 and -0.2 (1 - 0.2^2))."""
        f = np.arange(1, 401) * 50e6
        file = write(self.folder, "line", f, s_of_line(2j * np.pi * f * 1e-9, 75.0))
        done = run("time-domain", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        steps = columns(self.folder / "line_tdr.csv")
        # Gibbs' ripples under a Hamming window: 0.2 % of a step.
        seen = np.interp([0.5e-9, 1e-9, 1.5e-9, 3e-9], steps["time_s"], steps["impedance_port_1_ohm"])
        np.testing.assert_allclose(seen, [75, 75, 75, 50 * 1.008 / 0.992], rtol=2e-3)
        self.assertTrue((self.folder / "line_time.png").stat().st_size > 10000)

    def test_delay(self):
        f = np.arange(1, 401) * 50e6
        done = run("time-domain", write(self.folder, "line", f, s_of_line(2j * np.pi * f * 1e-9, SOURCE)), "-o", self.folder / "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        np.testing.assert_allclose(columns(self.folder / "out" / "line_delay.csv")["delay_s21_s"], 1e-9, rtol=1e-9)

    def test_open_end(self):
        """A step sees the line, then an open end: no infinite or negative impedances where the window rings."""
        f = np.arange(401) * 50e6
        file = self.folder / "open.s1p"
        skrf.Network(f=f, f_unit="hz", s=np.exp(-4j * np.pi * f * 1e-9), z0=SOURCE, name="open").write_touchstone(dir=str(self.folder))
        done = run("time-domain", file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        steps = columns(self.folder / "open_tdr.csv")
        seen = steps["impedance_port_1_ohm"]
        np.testing.assert_allclose(np.interp(1e-9, steps["time_s"], seen), SOURCE, rtol=2e-3)
        self.assertGreater(np.interp(3e-9, steps["time_s"], seen), 100 * SOURCE)
        self.assertTrue(np.all((seen > 0) & (seen <= 2000 * SOURCE)))

    def test_delays_that_outlast_the_step_of_frequency(self):
        """1/step is 20 ns: an echo after 14 ns is seen 6 ns before the step, one after 6 ns where it is (75 ohm: no warning)."""
        f = np.arange(1, 401) * 50e6
        for delay, warnings in ((3e-9, 0), (7e-9, 2)):
            done = run("time-domain", write(self.folder, "line", f, s_of_line(2j * np.pi * f * delay, 75.0)))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.count("comes before the step"), warnings, done.stderr)

    def test_what_is_not_causal(self):
        """A reflection of 0.3 that comes 1 ns before the step."""
        f = np.arange(401) * 50e6
        done = run("time-domain", write(self.folder, "early", f, 0.3 * np.exp(2j * np.pi * f * 1e-9)[:, None, None] * np.eye(2)))
        self.assertIn("a reflection of 0.3 comes before the step", done.stderr)
        self.assertIn("not causal", done.stderr)

    def test_phase_of_half_a_turn_between_frequencies(self):
        """360 degrees times 50 MHz times 9 ns are 162 degrees."""
        f = np.arange(1, 401) * 50e6
        done = run("time-domain", write(self.folder, "line", f, s_of_line(2j * np.pi * f * 9e-9, SOURCE)))
        self.assertIn("turns by 162 degrees", done.stderr)

    def test_no_steps_without_low_frequencies(self):
        f = np.linspace(8e9, 12e9, 41)
        done = run("time-domain", write(self.folder, "line", f, s_of_line(2j * np.pi * f * 1e-10, 75.0)))
        self.assertEqual(done.returncode, 0)
        self.assertIn("start the sweep at 0 Hz", done.stderr)
        self.assertFalse((self.folder / "line_tdr.csv").exists())


class CircuitModel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        f = np.linspace(0, 40e9, 161)
        cls.done = run("circuit-model", write(cls.folder, "line", f, lossy_line(f)), "--error", 2e-5)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def spice(self, lines, model="line"):
        """Columns that ngspice's wrdata writes for a deck around a model, port 1 at node a, port 2 at node b."""
        if shutil.which("ngspice") is None:
            self.skipTest("needs ngspice")
        deck = self.folder / "deck.cir"
        deck.write_text("\n".join([model, f".include {model}.sp", f"X1 a b {model}", f"R1 s a {SOURCE}", *lines, ".end", ""]))
        done = subprocess.run(["ngspice", "-b", "deck.cir"], cwd=self.folder, capture_output=True, text=True)
        self.assertTrue((self.folder / "out.data").exists(), done.stdout + done.stderr)
        return np.loadtxt(self.folder / "out.data").T

    def test_model_is_made(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertEqual(self.done.stderr, "")
        self.assertIn("passive", self.done.stdout)
        self.assertTrue((self.folder / "line.png").stat().st_size > 10000)

    def test_resistance_at_0_hz(self):
        """A source of 1 V over 50 ohm and the shorted line of 2 ohm."""
        values = self.spice(["V1 s 0 1", "V2 b 0 0", ".control", "op", "let current = -i(V1)", "wrdata out.data current", ".endc"])
        resistance = 1 / values[-1] - SOURCE
        print(f"line: resistance at 0 Hz: {abs(resistance / 2 - 1):.1e} off")
        np.testing.assert_allclose(resistance, 2.0, rtol=5e-3)

    def test_between_the_frequencies_of_the_file(self):
        """S21 is twice the voltage at the load."""
        values = self.spice([f"R2 b 0 {SOURCE}", "V1 s 0 ac 1", ".control", "ac lin 25 0.05e9 39.65e9", "wrdata out.data v(b)", ".endc"])
        expected = lossy_line(values[0])[:, 1, 0]
        error = np.abs(2 * (values[1] + 1j * values[2]) - expected).max()
        print(f"line: S21 between the frequencies of the file, ngspice against the formula: {error:.1e}")
        self.assertLess(error, 1e-4)

    def pulse_error(self, s21, model="line"):
        """Error of a 20 ps pulse at the load: ngspice less the inverse Fourier transform of the spectrum times S21/2,
        over the peak."""
        width, peak, step, count = 20e-12, 150e-12, 0.5e-12, 4096
        time = step * np.arange(count)
        pulse = np.exp(-((time - peak) / width) ** 2)
        f = np.fft.rfftfreq(count, step)
        there = np.where(f <= 40e9, s21(f), 0)  # the pulse has e^-6 of its spectrum at 40 GHz
        expected = np.fft.irfft(np.fft.rfft(pulse) * there / 2, count)
        shape = " ".join(f"{t:.6g} {v:.9g}" for t, v in zip(time[:600], pulse[:600]))
        values = self.spice([f"R2 b 0 {SOURCE}", f"V1 s 0 pwl({shape})", ".control", f"tran {step} 1e-9 0 {step}",
                             "wrdata out.data v(b)", ".endc"], model)
        seen = np.interp(time[:2000], values[0], values[1])
        return np.abs(seen - expected[:2000]).max() / expected.max()

    def test_pulse(self):
        error = self.pulse_error(lambda f: lossy_line(f)[:, 1, 0])
        print(f"line: pulse, ngspice against the inverse transform: {error:.1e}")
        self.assertLess(error, 0.01)

    def test_what_no_model_fits(self):
        rng = np.random.default_rng(1)
        f = np.linspace(0, 1e9, 60)
        noise = 0.5 * np.exp(2j * np.pi * rng.random((60, 2, 2)))
        done = run("circuit-model", write(self.folder, "noise", f, noise), "--poles", 11)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("no passive model", done.stderr)
        self.assertFalse((self.folder / "noise.sp").exists())

    def test_bad_options(self):
        for options in (["--error", "nan"], ["--name", "a b"]):
            done = run("circuit-model", self.folder / "line.s2p", *options)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"circuit-model: {options[0]} ", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_what_is_no_number(self):
        f = np.linspace(0, 1e9, 20)
        s = lossy_line(f)
        s[3, 0, 0] = np.nan
        file = write(self.folder, "nan", f, s)
        done = run("time-domain", file)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"S at {f[3]:.6g} Hz is not a finite number", done.stderr)
        self.assertFalse((self.folder / "nan_tdr.csv").exists())

    def test_coax_of_fem_solve(self):
        """Two conductors with teflon of 0.1 S/m between them, 0 to 40 GHz by fem-solve: S and a pulse against the line's formula,
        and between the conductors ln(b/a) / (2 pi sigma l). Half the size of configs/coax.toml: TE11 begins near 50 GHz."""
        if BIN_DIR is None:
            self.skipTest("needs fem-solve")
        inner, outer, length, sigma = 0.3175e-3, 1.025e-3, 5e-3, 0.1
        keys = ["frequency.start=0", "frequency.stop=40e9", "frequency.points=101", "frequency.adaptive_tolerance=1e-4",
                "output.fields=false", "accuracy.estimate=off", f"material.0.conductivity={sigma}", "mesh.size=0.4", "space.order=3",
                "mesh.parameters={ inner = 0.3175, outer = 1.025, length = 5 }"]
        done = subprocess.run([BIN_DIR / "fem-solve", SOURCE_DIR / "configs" / "coax.toml", "-o", self.folder, "--no-report",
                               *(part for key in keys for part in ("--set", key))], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

        def formula(f):
            w = 2 * np.pi * np.maximum(f, 1e-3)
            log = np.log(outer / inner)
            series, shunt = 2e-7j * w * log, 2 * np.pi / log * (sigma + 1j * w * 2.07 * 8.8541878128e-12)
            return s_of_line(np.sqrt(series * shunt) * length, np.sqrt(series / shunt))

        network = skrf.Network(self.folder / "coax.s2p")
        of_solver = np.abs(network.s - formula(network.f)).max()
        done = run("circuit-model", self.folder / "coax.s2p", "--error", 1e-3, "-o", self.folder / "coax.sp")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        values = self.spice(["V1 s 0 1", ".control", "op", "let current = -i(V1)", "wrdata out.data current", ".endc"], "coax")
        resistance, exact = 1 / values[-1] - SOURCE, np.log(outer / inner) / (2 * np.pi * sigma * length)
        pulse = self.pulse_error(lambda f: formula(f)[:, 1, 0], "coax")
        print(f"coax: S of fem-solve against the formula: {of_solver:.1e}; {done.stdout.splitlines()[0].split(': ')[-1]}; resistance at 0 Hz: "
              f"{abs(resistance / exact - 1):.1e} off; pulse, ngspice against the inverse transform: {pulse:.1e}")
        self.assertLess(of_solver, 1e-3)
        self.assertLess(abs(resistance / exact - 1), 5e-3)
        self.assertLess(pulse, 0.01)

    def test_bad_files(self):
        (self.folder / "words.s2p").write_text("words\n")
        for file in (self.folder / "words.s2p", self.folder / "none.s2p"):
            done = run("circuit-model" if file.stem == "none" else "time-domain", file)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
