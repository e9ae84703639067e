# SPDX-License-Identifier: BSD-3-Clause
"""The cases: the run, the reference value and its source. A function each, in the list at the end."""
import dataclasses

import numpy as np
from scipy.special import hankel2, jv

from validation import fsv
from validation.mie import C0, cross_section

ETA0 = 376.730313668
DB_PER_NEPER = 20 / np.log(10)


@dataclasses.dataclass
class Row:
    case: str
    quantity: str
    unit: str
    value: float
    reference: float
    tolerance: float  # of |value - reference|
    source: str
    bar: float = float("nan")  # the run's own error bar
    curve: str = ""  # ADM, FDM, GDM of curves
    seconds: float = 0

    def __post_init__(self):
        self.value = float("nan") if self.value is None else self.value  # a result that the run does not have

    @property
    def passes(self):
        return abs(self.value - self.reference) <= self.tolerance


def relative(case, quantity, unit, value, reference, tolerance, source, bar=float("nan")):
    return Row(case, quantity, unit, value, reference, tolerance * abs(reference), source, bar)


def compare_curves(case, quantity, got, exact, tolerance, source):
    """RMS difference in dB within 30 dB of the greatest value, and the measures of IEEE 1597.1."""
    got, exact = np.asarray(got), np.asarray(exact)
    counts = exact > 1e-3 * exact.max()
    rms = float(np.sqrt(np.mean((10 * np.log10(got[counts] / exact[counts])) ** 2)))
    floor = 1e-3 * exact.max()
    adm, fdm, gdm = fsv.measures(*(10 * np.log10(np.maximum(c, floor)) for c in (got, exact)))
    text = f"ADM {adm:.3f}, FDM {fdm:.3f}, GDM {gdm:.3f}: {fsv.word(gdm)}"
    row = Row(case, quantity, "dB RMS", rms, 0.0, tolerance, source, curve=text)
    return [row, Row(case, quantity, "GDM", gdm, 0.0, 0.4, "IEEE 1597.1: good or better", curve=text)]


def cavity_modes(run):
    result = run("fem-solve", "rectangular_cavity")
    modes = box_modes([1, 0.75, 0.5], C0, True)
    return mode_rows("rectangular cavity", result, modes, 5e-3, "closed form, Pozar (6.40)")


def sphere_modes(run):
    # Zeros of the derivatives of the Riccati-Bessel functions n = 1 and 2: TM, with 3 and 5 directions.
    modes = [2.743707 * C0 / (2 * np.pi)] * 3 + [3.870239 * C0 / (2 * np.pi)] * 5
    return mode_rows("spherical cavity", run("fem-solve", "spherical_cavity"), modes, 5e-3,
                     "Harrington (1961), table 6-2")


def acoustic_modes(run):
    result = run("fem-solve", "acoustic_box")
    return mode_rows("rigid box of air", result, box_modes([1, 0.8, 0.6], 343.2, False), 1e-4, "closed form")


def box_modes(sides, speed, is_electric):
    """Ascending, each as often as it comes; of cavities with conducting walls, else of rigid ones."""
    modes = []
    for n in np.ndindex(5, 5, 5):
        zeros = list(n).count(0)
        times = (2 if zeros == 0 else 1 if zeros == 1 else 0) if is_electric else int(any(n))
        modes += [0.5 * speed * float(np.hypot.reduce(np.array(n) / sides))] * times
    return sorted(modes)


def mode_rows(case, result, exact, tolerance, source):
    found = sorted(mode["frequency_hz"] for mode in result.summary["results"]["modes"])
    first = int(np.argmin(np.abs(np.array(exact) - found[0])))
    bars = [error.get("frequency_error_hz", float("nan")) for error in result.summary["results"].get("errors", [])]
    bars += [float("nan")] * len(found)
    return [relative(case, f"mode {i + 1}", "Hz", f, exact[first + i], tolerance, source, bars[i])
            for i, f in enumerate(found) if first + i < len(exact)]


def cylindrical_cavity(run):
    result = run("fem-solve", "cylindrical_cavity", "analysis.modes=3")
    mode = result.summary["results"]["modes"][0]
    return [relative("cylindrical cavity", "TM010", "Hz", mode["frequency_hz"], 2.903605e9, 1e-4, "Pozar, example 6.4"),
            relative("cylindrical cavity", "Q of TM010", "1", mode["q"], 1 / 4e-4, 5e-3, "1/tan delta")]


def waveguide(run):
    result = run("fem-solve", "wr90", "frequency.points=3")
    a, length, rows = 22.86e-3, 30e-3, []
    for point in result.s_points():
        f = point["frequency_hz"]
        beta = np.sqrt((2 * np.pi * f / C0) ** 2 - (np.pi / a) ** 2)
        name = f"S21 at {f / 1e9:g} GHz"
        exact = np.exp(-1j * beta * length)
        rows.append(Row("WR-90", f"|{name} - exact|", "1", abs(point["s2_1"] - exact), 0, 3e-3,
                        "Pozar, table 3.2", result.error("s2_1")))
    return rows


def slab(run):
    """A dielectric slab in a guide: a line between two others."""
    result = run("fem-solve", "slab", "frequency.values=[9e9, 11e9]")
    a, thickness, feed, rows = 22.86e-3, 8e-3, 15e-3, []
    for point in result.s_points():
        k = 2 * np.pi * point["frequency_hz"] / C0
        empty, full = (np.sqrt(e * k**2 - (np.pi / a) ** 2) for e in (1.0, 2.54))
        z = empty / full  # of the slab over that of the empty guide
        c, s = np.cos(full * thickness), 1j * np.sin(full * thickness)
        sum_ = 2 * c + z * s + s / z
        shift = np.exp(-2j * empty * feed)
        for name, exact in (("s1_1", (z * s - s / z) / sum_ * shift), ("s2_1", 2 / sum_ * shift)):
            rows.append(Row("slab in WR-90", f"|{name.upper()} - exact| at {point['frequency_hz'] / 1e9:g} GHz", "1",
                            abs(point[name] - exact), 0, 5e-3, "lines, Pozar, section 2.5", result.error(name)))
    return rows


def coaxial_line(run):
    result = run("fem-solve", "coax", "frequency.points=1", "frequency.stop=2e9")
    exact = ETA0 / (2 * np.pi * np.sqrt(2.07)) * np.log(2.05 / 0.635)
    value = float(result.table("ports.csv")["re_z0_ohm"][0])
    beta = float(result.table("ports.csv")["beta_per_m"][0])
    return [relative("coaxial line", "Z0", "ohm", value, exact, 1e-3, "closed form"),
            relative("coaxial line", "beta", "1/m", beta, 2 * np.pi * 2e9 * np.sqrt(2.07) / C0, 1e-5, "closed form")]


def hertzian_dipole(run):
    result = run("fem-solve", "dipole")
    feed = result.summary["results"]["radiation"][0]
    power = ETA0 * (2 * np.pi) ** 2 / (12 * np.pi)  # I l = 1 A m, wavelength 1 m
    return [relative("Hertzian dipole in a layer", "radiated power", "W", feed["radiated_w"], power, 5e-3, "closed form"),
            Row("Hertzian dipole in a layer", "directivity", "dBi", feed["directivity_dbi"], 10 * np.log10(1.5), 0.02,
                "closed form")]


def sphere_rows(case, result, radius, epsilon_r, tolerance, cut):
    table = result.table("rcs.csv")
    theta, phi, rcs = (np.array(table[name], float) for name in ("theta_deg", "phi_deg", "rcs_m2"))
    rows = []
    for angle in sorted(set(phi)):
        at = phi == angle
        exact = cross_section(float(table["frequency_hz"][0]), radius, epsilon_r, theta[at], phi[at])
        rows += compare_curves(case, f"RCS over theta, phi = {angle:g}", rcs[at], exact, tolerance, "Mie series")
    return rows


CUT = ("output.far_field.theta=[0, 180, 37]", "output.far_field.phi=[0, 90, 2]")
FROM_BELOW = ("excitation.theta=180", "excitation.phi=0", "excitation.polarization=theta")


def metal_sphere_by_surfaces(run):
    result = run("ie-solve", "pec_sphere", "mesh.size=0.07", *FROM_BELOW, *CUT)
    return sphere_rows("metal sphere, ie-solve", result, 0.3, None, 0.2, CUT)


def dielectric_sphere_by_surfaces(run):
    result = run("ie-solve", "dielectric_sphere", *CUT)
    return sphere_rows("dielectric sphere, ie-solve", result, 0.5, 4.0, 0.3, CUT)


def metal_sphere_by_iteration(run):
    result = run("fe-iiee", "sphere_in_air", *CUT)
    return sphere_rows("metal sphere, fe-iiee", result, 0.3183, None, 0.3, CUT)


def dielectric_sphere_in_layer(run):
    result = run("fem-solve", "sphere_in_layer", *CUT)
    return sphere_rows("dielectric sphere in a layer, fem-solve", result, 1.0, 4.0, 0.2, CUT)


def circular_cylinder(run):
    """Echo width of a conducting circle of one wavelength, TM. Balanis (2012), Advanced Engineering EM, (11-102)."""
    result = run("mom2d", "circle")
    table = result.table("echo_width.csv")
    phi, width = (np.array(table[name], float) for name in ("phi_deg", "width_m"))
    ka, n = 2 * np.pi, np.arange(-30, 31)
    # The wave comes from phi = 0 and travels along -x.
    terms = (-1.0) ** n * jv(n, ka) / hankel2(n, ka)
    sums = np.abs(np.exp(1j * np.outer(np.radians(phi), n)) @ terms) ** 2
    exact = 4 * sums / (2 * np.pi)
    return compare_curves("circular cylinder, mom2d", "echo width over phi", width, exact, 1e-3, "series of Hankel functions")


def closed_pipe(run):
    """A piston at one end of a pipe, rigid at the other: p = -j rho c v cos(k (L - z))/sin(k L)."""
    result = run("fem-solve", "acoustic_cylinder")
    table = result.table("probes.csv")
    rows = []
    for f, probe, size in zip(table["frequency_hz"], table["probe"], table["abs_pressure_pa"]):
        phase = 2 * np.pi * float(f) / 343.2 * 1.2
        largest = 1.2041 * 343.2 * 1e-3 / abs(np.sin(phase))
        exact = largest * (abs(np.cos(phase)) if probe == "piston" else 1)
        rows.append(Row("closed pipe", f"pressure at {probe}, {float(f):g} Hz", "Pa", float(size), exact,
                        1e-3 * largest, "plane waves in a pipe"))
    return rows


def puck(run):
    result = run("fem-solve", "puck", "frequency.values=[13e9]")
    point = result.s_points()[0]
    levels = {name: 20 * np.log10(abs(point[name])) for name in ("s1_1", "s2_1")}
    source = "Ise et al., IEEE Trans. MTT 38(9), 1990"
    return [Row("dielectric block in WR-75", "S11 at 13 GHz", "dB", levels["s1_1"], -0.19257, 0.05, source),
            Row("dielectric block in WR-75", "S21 at 13 GHz", "dB", levels["s2_1"], -13.6447, 0.1, source)]


def coated_ellipsoid(run):
    """No series: four methods that share no system of equations. Each against the mean of the other three."""
    runs = {"surface equations, ie-solve": run("ie-solve", "coated_ellipsoid"),
            "volume equation, ie-solve": run("ie-solve", "coated_ellipsoid_by_volume"),
            "layer, fem-solve": run("fem-solve", "coated_ellipsoid_in_layer"),
            "iterated truncation, fe-iiee": run("fe-iiee", "coated_ellipsoid_in_air")}
    fields = {name: np.sqrt(np.array(result.table("rcs.csv")["rcs_m2"], float)) for name, result in runs.items()}
    rows = []
    for name, field in fields.items():
        others = np.mean([other for key, other in fields.items() if key != name], axis=0)
        rows += compare_curves(f"coated ellipsoid: {name}", "RCS over theta, phi = 0 and 90", field**2, others**2, 0.2,
                               "mean of the other three methods")
    return rows


def almond(run):
    """NASA almond, 7 GHz, H and V; published reference of the Austin RCS benchmarks, problem IIIA."""
    published = {"phi": {60: -26.311, 90: -21.358, 120: -25.271, 150: -26.521, 180: -32.192},
                 "theta": {60: -30.768, 90: -24.543, 120: -29.640, 150: -38.047, 180: -40.515}}
    result = run("ie-solve", "almond", "excitation.phi=[60, 90, 120, 150, 180]")
    table = result.table("rcs.csv")
    rows = []
    for phi, polarization, level in zip(table["phi_deg"], table["polarization"], table["rcs_dbsm"]):
        angle = round(float(phi))
        rows.append(Row("NASA almond, ie-solve", f"E_{polarization} from phi = {angle}", "dBsm", float(level),
                        published[polarization][angle], 1.0, "Austin RCS benchmarks, IIIA"))
    return rows

OPENPAREM = "OpenParEM regression, WR90_exact and coax_exact"


def openparem_guide(run):
    """WR-90 with air of 1.0006 at 9 and 10 GHz without loss: five modes, and the impedance by power and voltage."""
    result = run("fem-solve", "wr90", "frequency.values=[9e9, 10e9]", "port.0.modes=5", "port.1.modes=5",
                 "material.0.epsilon_r=1.0006", "port.0.impedance=power_voltage",
                 "port.0.voltage_line=[[11.43, 0, 0], [11.43, 10.16, 0]]", "accuracy.estimate=off")
    published = {9e9: (0.685408, 488.5724, [1735.964, 2127.792, 2439.748, 2439.748]),
                 10e9: (0.7554066, 443.2995, [1543.873, 1974.201, 2307.02, 2307.02])}
    rows = []
    for f, (index, impedance, decay) in published.items():
        modes = port_modes(result, f)
        label = f"at {f / 1e9:g} GHz"
        rows += [relative("WR-90, OpenParEM", f"beta/k0 {label}", "1", modes[0]["beta_per_m"] * C0 / (2 * np.pi * f), index,
                          1e-5, OPENPAREM),
                 relative("WR-90, OpenParEM", f"Z by power and voltage {label}", "ohm", modes[0]["re_z0_ohm"], impedance,
                          1e-4, OPENPAREM)]
        for number, (mode, value) in enumerate(zip(modes[1:], decay), 2):
            rows.append(relative("WR-90, OpenParEM", f"decay of mode {number} {label}", "dB/m",
                                 mode["alpha_per_m"] * DB_PER_NEPER, value, 1e-4, OPENPAREM))
    return rows


def openparem_lossy_guide(run):
    """WR-90 with walls of copper: what 30 mm of it take from TE10."""
    result = run("fem-solve", "wr90", "frequency.values=[9e9, 10e9]", "material.0.epsilon_r=1.0006",
                 "boundary.0.type=impedance", "boundary.0.conductivity=5.8e7", "accuracy.estimate=off")
    return [relative("WR-90 of copper, OpenParEM", f"loss at {point['frequency_hz'] / 1e9:g} GHz", "dB/m",
                     -20 * np.log10(abs(point["s2_1"])) / 30e-3, value, 5e-3, OPENPAREM)
            for point, value in zip(result.s_points(), (0.1205253, 0.1082541))]


def openparem_coax(run):
    """A coaxial line of index 1.50333 and 51.58746 ohm: the ratio of its radii follows from both."""
    index, impedance = 1.50333, 51.58746
    outer = 0.635 * float(np.exp(2 * np.pi * impedance * index / ETA0))
    result = run("fem-solve", "coax", "frequency.values=[1e9, 10e9]", f"material.0.epsilon_r={index**2:.9g}",
                 f"mesh.parameters.outer={outer:.9g}", "accuracy.estimate=off")
    rows = []
    for f in (1e9, 10e9):
        mode = port_modes(result, f)[0]
        rows += [relative("coaxial line, OpenParEM", f"beta/k0 at {f / 1e9:g} GHz", "1",
                          mode["beta_per_m"] * C0 / (2 * np.pi * f), index, 1e-5, OPENPAREM),
                 relative("coaxial line, OpenParEM", f"Z0 at {f / 1e9:g} GHz", "ohm", mode["re_z0_ohm"], impedance, 1e-3,
                          OPENPAREM)]
    return rows


def palace_step(run):
    """A step of 1 to 2 in impedance behind a coaxial line: the reference of the second port is twice Z0."""
    z0 = ETA0 / (2 * np.pi * np.sqrt(2.07)) * np.log(2.05 / 0.635)
    result = run("fem-solve", "coax", "frequency.values=[2e9, 10e9]", f"port.0.reference_impedance={z0:.9g}",
                 f"port.1.reference_impedance={2 * z0:.9g}", "accuracy.estimate=off")
    source, rows = "Palace, coaxial step of 50 to 100 ohm", []
    for point in result.s_points():
        label = f"at {point['frequency_hz'] / 1e9:g} GHz"
        beta = 2 * np.pi * point["frequency_hz"] * np.sqrt(2.07) / C0
        rows += [Row("coaxial step 1:2, Palace", f"|S11 - exact| {label}", "1",
                     abs(point["s1_1"] - np.exp(-2j * beta * 10e-3) / 3), 0, 2e-3, source),
                 Row("coaxial step 1:2, Palace", f"|S21 - exact| {label}", "1",
                     abs(point["s2_1"] - np.sqrt(8) / 3 * np.exp(-1j * beta * 10e-3)), 0, 2e-3, source)]
    return rows


def austin_sphere(run):
    """A metal sphere of 0.6 m, wave from phi = 0 in the plane theta = 90; published values of the Austin RCS benchmarks."""
    published = {("phi", 320e6): [-5.225, -7.111, -4.467, -0.355, -0.679, -0.414, 1.707],
                 ("theta", 320e6): [-5.225, -6.213, -7.046, -3.594, -0.677, 0.948, 1.707],
                 ("theta", 10e6): [-44.008, -44.403, -45.584, -47.514, -50.001, -52.418, -53.504]}
    rows = []
    for (polarization, frequency), levels in published.items():
        equation = ["formulation.equation=efie", "solver.method=direct"] if frequency < 100e6 else []
        result = run("ie-solve", "pec_sphere", f"frequency.values=[{frequency:.0f}]", f"excitation.polarization={polarization}",
                     "output.far_field.phi=[0, 180, 7]", "mesh.size=0.05", "accuracy.estimate=off", *equation)
        table = result.table("rcs.csv")
        for phi, level, exact in zip(table["phi_deg"], table["rcs_dbsm"], levels):
            rows.append(Row("metal sphere, Austin", f"E_{polarization}, {frequency / 1e6:g} MHz, phi = {float(phi):g}", "dBsm",
                            float(level), exact, 0.1, "Austin RCS benchmarks, I-A"))
    return rows


def port_modes(result, frequency):
    """Rows of ports.csv of the first port at a frequency, as numbers where they are."""
    table = result.table("ports.csv")
    rows = [dict(zip(table, cells)) for cells in zip(*table.values())]
    first = rows[0]["port"]
    return [{k: float(v) for k, v in row.items() if k.endswith(("_ohm", "_per_m", "_hz"))} for row in rows
            if row["port"] == first and float(row["frequency_hz"]) == frequency]



def horn(run):
    """The pyramidal horn of the FE-IIEE paper; aperture integral of Stutzman and Thiele, section 9.4.3: 21.79 to 21.83 dB."""
    result = run("fe-iiee", "horn", "accuracy.estimate=off")
    values = result.summary["results"]
    return [Row("pyramidal horn, fe-iiee", "directivity", "dBi", values["directivity_dbi"], 21.81, 0.3,
                "aperture integral, which knows no outer walls"),
            Row("pyramidal horn, fe-iiee", "efficiency", "1", values["efficiency"], 1, 3e-3, "no losses")]


def strip_dipole(run):
    """The strip dipole with a lumped port against NEC-2: resonance and resistance there."""
    result = run("fem-solve", "lumped_dipole", "accuracy.estimate=off", "frequency.points=9")
    points = result.s_points()
    f, z = (np.array([p[name] for p in points]) for name in ("frequency_hz", "input_impedance_1_ohm"))
    order = np.argsort(z.imag)
    resonance = float(np.interp(0, z.imag[order], f[order]))
    return [relative("strip dipole, fem-solve", "resonance", "Hz", resonance, 294.56e6, 0.01, "NEC-2"),
            relative("strip dipole, fem-solve", "resistance there", "ohm", float(np.interp(resonance, f, z.real)), 73.2, 0.03,
                     "NEC-2")]


FAST = [cavity_modes, sphere_modes, acoustic_modes, cylindrical_cavity, waveguide, slab, coaxial_line, hertzian_dipole,
        metal_sphere_by_surfaces, dielectric_sphere_by_surfaces, metal_sphere_by_iteration, dielectric_sphere_in_layer,
        circular_cylinder, closed_pipe, puck, coated_ellipsoid, openparem_guide, openparem_lossy_guide, openparem_coax,
        palace_step, austin_sphere, strip_dipole]
FULL = FAST + [almond, horn]
# Cases that run on a GPU, for --gpu.
GPU = [metal_sphere_by_surfaces, dielectric_sphere_by_surfaces, metal_sphere_by_iteration, circular_cylinder, austin_sphere,
       coated_ellipsoid, horn]
