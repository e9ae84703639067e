#!/usr/bin/env python3
"""--dry-run against the run: the memory that it states for 20 configs is within a factor of 1.5 of what they take,
without and with an error estimate.

Usage: memory_test.py BIN SOURCE [CONFIG...]
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FACTOR = 1.5
RUNS = [
    ("fem-solve", "wr90", "frequency.points=2"), ("fem-solve", "slab", "frequency.values=[9e9]"),
    ("fem-solve", "coax", "frequency.points=2"), ("fem-solve", "iris", "frequency.values=[9e9]"),
    ("fem-solve", "puck", "frequency.values=[13e9]"), ("fem-solve", "perforated_plate", "frequency.points=1"),
    ("fem-solve", "dipole", "space.order=2"), ("fem-solve", "sphere_in_layer", "space.order=2"),
    ("fem-solve", "patch_in_air", "frequency.points=1"), ("fem-solve", "rectangular_cavity", "mesh.size=0.07"),
    ("fem-solve", "spherical_cavity", "space.order=2"), ("fem-solve", "cylindrical_cavity", "analysis.modes=3"),
    ("fem-solve", "acoustic_box", "space.order=3"), ("fem-solve", "acoustic_cylinder", "space.order=2"),
    ("fe-iiee", "sphere_in_air", "space.order=2"), ("ie-solve", "pec_sphere", "mesh.size=0.07"),
    ("ie-solve", "dielectric_sphere", "mesh.size=0.08"), ("ie-solve", "ogive", "solver.method=direct"),
    ("mom2d", "circle", "contour.0.cells=32"), ("mom2d", "circle_mom", "contour.0.cells=1500"),
]


def compare(binaries, source, scratch, run, estimate):
    """GiB stated and taken."""
    program, config, change = run
    command = [binaries / program, source / "configs" / f"{config}.toml", "-q", "--threads", "2", "--device", "cpu", "-o",
               f"{scratch}/{config}", "--set", change, "--set", f"accuracy.estimate={estimate}"]
    stated = subprocess.run([*command, "--dry-run"], check=True, capture_output=True, text=True).stdout
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    taken = json.loads(pathlib.Path(scratch, config, "summary.json").read_text())["peak_memory_bytes"] / 2**30
    return float(re.search(r"^together\s+host\s+(\S+)", stated, re.M)[1]), taken


def main():
    binaries, source, chosen = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    runs = [(run, estimate) for run in RUNS if not chosen or run[1] in chosen for estimate in ("off", "one")]
    missed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for run, estimate in runs:
            stated, taken = compare(binaries, source, scratch, run, estimate)
            is_near = 1 / FACTOR <= stated / taken <= FACTOR
            missed += not is_near
            print(f"{run[1]:20} estimate {estimate:3}  stated {stated:.4f} GiB, taken {taken:.4f} GiB"
                  f"{'' if is_near else '  MISS'}", flush=True)
    print(f"{len(runs) - missed} of {len(runs)} within a factor of {FACTOR}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
