# SPDX-License-Identifier: BSD-3-Clause
"""What the programs are run with: cases.toml and configs/ beside this file."""
import pathlib
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OURS = {0, 1, 2, 3, 130}

_CASES = tomllib.loads((HERE / "cases.toml").read_text())


def _of(member):
    return {name: case[member] for name, case in _CASES.items() if member in case}


#: program, and after a comma what it does: its arguments without output
CASES = {name: [str(ROOT / word) if word.startswith("meshes/") else word for word in case["arguments"]] for name, case in _CASES.items()}
ONE_FILE, SAYS, ANY_THREADS, FACTORS = (set(_of(member)) for member in ("one_file", "says", "any_threads", "factors"))
DONE = {name: 1 for name in SAYS}
PROCESSES, RESUMED_WITHIN, KEPT = _of("processes"), _of("resumed_within"), _of("kept")
MESHES = {
    "guide.h5": ["wr90.geo", "--unit", "mm", "--size", "14"],
    "ball.h5": ["sphere_in_air.geo", "--unit", "m", "--size", "0.4", "--order", "1",
                "--set-number", "radius=0.3183", "--set-number", "distance=0.1"],
    "skin.h5": ["sphere_surface.geo", "--unit", "m", "--size", "0.25", "--order", "1", "--set-number", "radius=0.3"],
}
#: uses of the GPU by programs: a name, the program, its arguments
DEVICE_CASES = [
    ("fem-solve", "fem-solve", []),
    ("fem-solve, GMRES", "fem-solve", ["--set", "solver.method=gmres", "--set", "space.order=2"]),
    ("fem-assemble", "fem-assemble", []),
    ("fe-iiee", "fe-iiee", []),
    ("fe-iiee, NGIM", "fe-iiee", ["--set", "acceleration.type=ngim"]),
    ("ie-solve", "ie-solve", []),
    ("ie-solve, sums", "ie-solve", ["--set", "solver.method=gmres", "--set", "acceleration.type=ngim"]),
    ("mom2d", "mom2d", []),
    ("em-ngim", "em-ngim", []),
]
ON_DEVICE = ["--device", "cuda"]
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}


def binary(program):
    return program.split(",")[0]
