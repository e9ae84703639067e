#!/usr/bin/env python3
"""--dry-run against the run: the seconds that it predicts for a stage are within a factor of 3 of what it takes.

Usage: time_test.py BIN SOURCE [--quick]

An error estimate at one frequency is among the stages. Stages below a quarter of a second, predicted and measured, count in the sum alone. What else runs on the machine
changes its speed between the two: a config passes if one of three trials does. --quick: some cheap ones.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FACTOR, LEAST, TRIALS = 3, 0.25, 3
QUICK = [("fem-solve", "slab", "frequency.values=[9e9]"), ("ie-solve", "pec_sphere", "mesh.size=0.05"),
         ("mom2d", "circle_mom", "contour.0.cells=1500")]
RUNS = QUICK + [
    ("fem-solve", "wr90", "frequency.points=4"), ("fem-solve", "coax", "frequency.points=2"),
    ("fem-solve", "iris", "frequency.values=[9e9, 10e9]"), ("fem-solve", "puck", "frequency.values=[13e9]"),
    ("fem-solve", "perforated_plate", "frequency.points=1"), ("fem-solve", "dipole", "space.order=2"),
    ("fem-solve", "dipole", "space.order=1"), ("fem-solve", "sphere_in_layer", "space.order=2"),
    ("fem-solve", "rectangular_cavity", "space.order=2"), ("fem-solve", "cylindrical_cavity", "analysis.modes=3"),
    ("fe-iiee", "sphere_in_air", "space.order=2"), ("fe-iiee", "sphere_in_air", "space.order=3"),
    ("ie-solve", "pec_sphere", "mesh.size=0.07"), ("ie-solve", "dielectric_sphere", "mesh.size=0.08"),
    ("ie-solve", "ogive", "solver.method=direct"), ("mom2d", "circle", "contour.0.cells=100"),
    ("mom2d", "circle_mom", "contour.0.cells=2500"),
]


def predicted(text):
    """{stage: seconds} that a dry run predicts."""
    return {stage.strip(): float(seconds) for stage, seconds in re.findall(r"^(.*?)\s+predicted\s+(\S+)$", text, re.M)}


def measured(summary, stages):
    """The same of a run, where its summary tells the parts; else their sum under the name of the whole."""
    times, parts, results = summary["stages"], summary["solver"], summary["results"]
    check = {estimate: times.get(estimate, 0)} if (estimate := "error estimate") in stages else {}
    if "modes" in times:
        return {"modes": times["modes"], **check}
    if "truncation" in times:
        return {"truncation": times["truncation"], **check}
    if "fill_seconds" in results:
        return {"fill": results["fill_seconds"], "solution": times["fill and solve"] - results["fill_seconds"], **check}
    found = {stage: parts.get(f"{stage}_seconds", 0) for stage in ("assembly", "factorisation", "substitution")}
    found["fields and files"] = times["fields and files"]
    return {stage: found[stage] for stage in stages if stage in found} | check


def compare(binaries, source, scratch, run):
    """[(stage, predicted, measured)], the sum at the end."""
    program, config, change = run
    command = [binaries / program, source / "configs" / f"{config}.toml", "-q", "--threads", "2", "--device", "cpu", "-o",
               f"{scratch}/{config}", "--set", change, "--set", "accuracy.estimate=one"]
    stated = predicted(subprocess.run([*command, "--dry-run"], check=True, capture_output=True, text=True).stdout)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    taken = measured(json.loads(pathlib.Path(scratch, config, "summary.json").read_text()), stated)
    for whole in {"modes", "truncation"} & taken.keys():  # a stage that the run does not tell apart
        stated[whole] = sum(s for stage, s in stated.items() if stage not in ("fields and files", "error estimate"))
    rows = [(stage, stated[stage], seconds) for stage, seconds in taken.items()]
    return rows + [("together", sum(r[1] for r in rows), sum(r[2] for r in rows))]


def is_near(row):
    _, stated, taken = row
    return max(stated, taken) < LEAST or 1 / FACTOR <= stated / max(taken, 1e-9) <= FACTOR


def main():
    binaries, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    missed, runs = 0, QUICK if "--quick" in sys.argv else RUNS
    with tempfile.TemporaryDirectory() as scratch:
        for run in runs:
            for _ in range(TRIALS):
                rows = compare(binaries, source, scratch, run)
                if all(map(is_near, rows)):
                    break
            else:
                missed += 1
            print(f"{run[0]:9} {run[1]:19} {run[2]:29} "
                  + "; ".join(f"{stage} {a:.2g}/{b:.2g}{'' if is_near((stage, a, b)) else ' MISS'}" for stage, a, b in rows),
                  flush=True)
    print(f"{len(runs) - missed} of {len(runs)} within a factor of {FACTOR}: predicted/measured seconds")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
