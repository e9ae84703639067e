#!/usr/bin/env python3
"""scripts/validate: its quick cases pass, and every fault put into the results makes one of them miss; the measures of
IEEE 1597.1 have the properties that the standard states.

Usage: validate_test.py BIN SOURCE
"""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile

try:
    import numpy as np
    import scipy  # noqa: F401
except ImportError:
    print("numpy and scipy are not there: skipped")
    sys.exit(77)

BINARIES, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(SOURCE / "scripts"))
sys.dont_write_bytecode = True
from validation import cases, fsv  # noqa: E402

LOADER = importlib.machinery.SourceFileLoader("validate", str(SOURCE / "scripts/validate"))
validate = importlib.util.module_from_spec(importlib.util.spec_from_loader("validate", LOADER))
LOADER.exec_module(validate)


def each_s(change):
    def doctor(result):
        for point in result.summary["results"]["s_parameters"]:
            values = {name: complex(*point[name]) for name in ("s1_1", "s2_1")}
            for name, value in change(values).items():
                point[name] = [value.real, value.imag]
    return doctor


def each_cell(file, column, change):
    """The column as numbers through `change`."""
    def doctor(result):
        table = result.table(file)
        table[column] = [repr(float(x)) for x in change(np.array(table[column], float))]
        original = result.table
        result.table = lambda name: table if name == file else original(name)
    return doctor


def modes_off(result):
    for mode in result.summary["results"]["modes"]:
        mode["frequency_hz"] *= 1.001


FAULTS = [
    (cases.slab, "conjugate", each_s(lambda s: {n: v.conjugate() for n, v in s.items()})),
    (cases.slab, "sign of S11", each_s(lambda s: {"s1_1": -s["s1_1"]})),
    (cases.slab, "sign of S21", each_s(lambda s: {"s2_1": -s["s2_1"]})),
    (cases.slab, "S11 for S21", each_s(lambda s: {"s1_1": s["s2_1"], "s2_1": s["s1_1"]})),
    (cases.coaxial_line, "no permittivity in Z0", each_cell("ports.csv", "re_z0_ohm", lambda z: z * np.sqrt(2.07))),
    (cases.coaxial_line, "beta", each_cell("ports.csv", "beta_per_m", lambda b: b * 1.0001)),
    (cases.openparem_coax, "index", each_cell("ports.csv", "beta_per_m", lambda b: b * 1.0001)),
    (cases.openparem_guide, "sign of decay", each_cell("ports.csv", "alpha_per_m", lambda a: -a)),
    (cases.openparem_guide, "definition of Z", each_cell("ports.csv", "re_z0_ohm", lambda z: 2 * z)),
    (cases.palace_step, "sign of S11", each_s(lambda s: {"s1_1": -s["s1_1"]})),
    (cases.acoustic_modes, "frequencies", modes_off),
    (cases.circular_cylinder, "direction of the wave", each_cell("echo_width.csv", "width_m", lambda w: np.roll(w, 180))),
    (cases.circular_cylinder, "factor 2", each_cell("echo_width.csv", "width_m", lambda w: 2 * w)),
    (cases.metal_sphere_by_surfaces, "direction of the wave", each_cell("rcs.csv", "theta_deg", lambda t: 180 - t)),
    (cases.metal_sphere_by_surfaces, "polarisation", each_cell("rcs.csv", "phi_deg", lambda p: 90 - p)),
    (cases.closed_pipe, "amplitude", each_cell("probes.csv", "abs_pressure_pa", lambda p: p[::-1])),
]


def check_measures():
    """Lines for errors of ADM, FDM and GDM."""
    x = np.linspace(0, 1, 200)
    curve = np.sin(12 * x) * np.exp(-x) + 2
    wrong = []
    if max(fsv.measures(curve, curve)) > 1e-12:
        wrong.append("equal curves differ")
    if not np.allclose(fsv.measures(curve, 1.1 * curve), fsv.measures(1.1 * curve, curve), rtol=1e-12):
        wrong.append("the measures are not symmetric in the curves")
    adm, fdm, _ = fsv.measures(curve + 1, curve)
    # |A| - |B| over the mean of |A| + |B| is 1/(4 + 1) for offsets 3 and 2, next to that.
    if not (fdm < 1e-6 and abs(adm - 0.2 * np.exp(0.2)) < 0.02):
        wrong.append(f"an offset: ADM {adm}, FDM {fdm}")
    noise = np.random.default_rng(1).normal(size=200)
    grades = [fsv.measures(curve + size * noise, curve)[2] for size in (0.01, 0.05, 0.2)]
    if sorted(grades) != grades or grades[0] > 0.4 or grades[2] < 0.4:
        wrong.append(f"GDM does not grow with noise: {grades}")
    return wrong


def main():
    wrong = check_measures()
    with tempfile.TemporaryDirectory() as scratch:
        run = validate.Runner(BINARIES, SOURCE / "configs", pathlib.Path(scratch))
        folders = {}
        for case in {case.__name__: case for case, _, _ in FAULTS}.values():
            def keep(*arguments, name=case.__name__):
                folders[name] = run(*arguments).folder
                return validate.Result(folders[name])
            rows = validate.run_case(case, keep)
            wrong += [f"{case.__name__}: {validate.cells(row)}" for row in rows if not row.passes]
        for case, fault, doctor in FAULTS:
            result = validate.Result(folders[case.__name__])
            doctor(result)
            if all(row.passes for row in validate.run_case(case, lambda *_, r=result: r)):
                wrong.append(f"{case.__name__}: passes with a fault: {fault}")
        head = validate.write_page(rows, pathlib.Path(scratch, "page.html"), "test")
        if not head or not pathlib.Path(scratch, "page.csv").exists():
            wrong.append("no page")
    print("\n".join(wrong) or f"{len(FAULTS)} faults are found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
