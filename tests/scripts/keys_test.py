#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every key does something: a value of a wrong type, {} of an unknown name, must end a dry run with one line that names the key.
The schema says that a key is declared; this, that a reader takes it: in a shipped config that has the key, else in one of ADDED.
A key of --keys that stands in neither fails too.

Usage: keys_test.py BIN SOURCE K/N|today/N      a share of the keys; CURLEW_SHARE=K/N in the environment comes first
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from shares import share_of

#: slow to mesh, even for a dry run; others have their keys
SLOW = {"cobra_cavity", "microstrip_array", "monopole_plate_in_air", "perforated_films", "resonators12", "ducted_aircraft", "almond"}
PROGRAMS = ("fem-solve", "fe-iiee", "ie-solve", "mom2d", "em-optimize")
NO_VALUE = "{ no_such_name = 1 }"
#: keys of no shipped config: a config, what else is set, and their places
LUMPED = "boundary.0={ region = 'walls', type = 'lumped', direction = 'x', resistance = 50 }"
ADDED = [
    ("wr90", [], """accuracy.estimate accuracy.strict accuracy.tolerance frequency.adaptive_tolerance mesh.time_limit solver.direct
     solver.gpus solver.precision solver.subdomains solver.expert.device_memory solver.expert.coarse_order
     output.field_subdivision output.frequencies output.formats space.orders.air port.0.deembed
     port.0.polarization port.0.reference_impedance port.0.amplitude port.0.phase sensitivity.parameter material.0.conductivity
     material.0.mu_r material.0.table"""),
    ("wr90", ["frequency.adaptive_tolerance=1e-3"], "frequency.max_solutions"),
    ("wr90", ["refinement.max_passes=2"], """refinement.tolerance refinement.target refinement.frequencies refinement.max_order
     refinement.edge_layers refinement.max_passes refinement.max_unknowns refinement.time_limit"""),
    ("wr90", ["solver.method=tfqmr"], "solver.expert.shadow"),
    ("wr90", ["material.0.model={plasma_frequency=1e9}"], "material.0.model.plasma_frequency material.0.model.damping"),
    ("wr90", ["material.0.model={delta_epsilon=1,resonance_frequency=1e9}"], """material.0.model.delta_epsilon
     material.0.model.resonance_frequency"""),
    ("wr90", ["material.0.model={delta_epsilon=1,relaxation_time=1e-9}"], "material.0.model.relaxation_time"),
    ("wr90", ["boundary.0={region='walls',type='impedance',conductivity=1e7}"], "boundary.0.conductivity"),
    ("wr90", ["boundary.0={region='walls',type='impedance',conductivity=1e7,roughness={model='hammerstad',rms=1e-6}}"],
     "boundary.0.roughness.model boundary.0.roughness.rms"),
    ("wr90", ["boundary.0={region='walls',type='impedance',conductivity=1e7,roughness={model='huray',spheres=[1e-6,2]}}"],
     "boundary.0.roughness.spheres"),
    ("wr90", ["boundary.0={region='walls',type='tabulated_impedance'}"], "boundary.0.table"),
    ("wr90", ["boundary.0={region='walls',type='superconductor',critical_temperature=92,temperature=77,london_depth=1e-7}"],
     "boundary.0.critical_temperature boundary.0.temperature boundary.0.london_depth boundary.0.thickness"),
    ("wr90", [LUMPED], """boundary.0.resistance boundary.0.inductance boundary.0.capacitance boundary.0.connection
     boundary.0.direction"""),
    ("lumped_dipole", [], """port.0.series_resistance port.0.series_inductance port.0.series_capacitance port.0.parallel_resistance
     port.0.parallel_inductance port.0.parallel_capacitance pml.0.center pml.0.frequency"""),
    ("sphere_in_layer", [], "output.far_field.surface"),
    ("sphere_in_layer", ["boundary.0={region='back',type='absorbing',order=2}", "pml=[]"], "boundary.0.order boundary.0.radius"),
    ("sphere_in_layer", ["excitation={type='dipole',position=[0,0,0],direction=[0,0,1]}"], "excitation.formulation"),
    ("sphere_in_layer", ["excitation={type='current',region='body',density=[0,0,1]}"],
     "excitation.region excitation.density excitation.phase"),
    ("sphere_in_layer", ["output.near_field={positions=[[0,0,0],[0,0,1]],points=3}"],
     "output.near_field.name output.near_field.positions output.near_field.points"),
    ("perforated_plate", [], "periodic.0.phase"),
    ("perforated_plate", ["bloch={wave_vector=[0,0,0]}"], "bloch.wave_vector"),
    ("acoustic_box", ["boundary.0={region='x0',type='robin',alpha=1}"], "boundary.0.alpha boundary.0.value"),
    ("coated_ellipsoid_in_air", [], """truncation.body truncation.max_iterations acceleration.type
     solver.expert.currents"""),
    ("pec_sphere", [], """output.solution solver.expert.kept_directions solver.expert.group solver.expert.compression_tolerance"""),
    ("circle", ["contour.0={type='polyline',points=[[0,0],[1,0],[0,1]]}"], "contour.0.points contour.0.closed"),
    ("circle", ["contour.0={type='rectangle'}"], "contour.0.size"),
    ("circle", ["output.near_field={positions=[[0,0],[1,1]],points=[2,2]}"],
     "output.near_field.positions output.near_field.points"),
    ("filter_tuning", [], """model.program model.set variable.0.spread goal.0.above goal.0.weight
     optimization.derivatives optimization.until tolerance_analysis.samples
     tolerance_analysis.distribution"""),
    ("filter_tuning", ["goal.0={quantity='S11',frequency=1e10,equal=-20}"], "goal.0.equal"),
    ("filter_tuning", ["goal.0={quantity='gain',frequency=1e10,above=1}"], "goal.0.direction"),
]


def program_of(config):
    if "variable" in config:
        return "em-optimize"
    for table, program in (("truncation", "fe-iiee"), ("contour", "mom2d"), ("formulation", "ie-solve")):
        if table in config:
            return program
    return "fem-solve"


def leaves(value, path=()):
    """(path with indices, path without) of every value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        for i, inner in enumerate(value):
            yield from leaves(inner, (*path, str(i)))
    else:
        yield ".".join(path), ".".join(part for part in path if not part.isdigit())


def cases(folder):
    """{(program, key): (config, settings, place)}: where a key stands first, small configs before others."""
    found = {}
    for path in sorted(folder.glob("*.toml"), key=lambda p: (p.stem in SLOW, p.stat().st_size)):
        config = tomllib.loads(path.read_text(encoding="utf-8"))
        for place, plain in leaves(config):
            if plain == "title":  # free text, which programs leave out where it is none
                continue
            found.setdefault((program_of(config), plain), (path, (), place))
    for name, settings, places in ADDED:
        path = folder / f"{name}.toml"
        program = program_of(tomllib.loads(path.read_text(encoding="utf-8")))
        for place in places.split():
            plain = ".".join(part for part in place.split(".") if not part.isdigit())
            found.setdefault((program, plain), (path, settings, place))
    return found


def declared(binaries):
    """The keys of all programs, free names as *."""
    lines = (line for program in PROGRAMS
             for line in subprocess.run([binaries / program, "--keys"], capture_output=True, text=True, check=True).stdout.splitlines())
    return {line.split(":")[0].replace("[]", "") for line in lines if line and line[0].isalpha() and ": " in line and not line.endswith(":")}


def is_tried(key, tried):
    return key == "title" or any(one == key or key.endswith(".*") and one.startswith(key[:-1]) for one in tried)


def main():
    binaries, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    text = os.environ.get("CURLEW_SHARE") or sys.argv[3]
    share, of = share_of(text) or sys.exit(f"keys_test: {text} must be K/N with K from 1 to N, or today/N")
    known = sorted(cases(source / "configs").items())
    tried = {key for (_, key), _ in known}
    wrong = [f"{key}: in no config and not in ADDED" for key in sorted(declared(binaries)) if not is_tried(key, tried)]
    for (program, key), (config, settings, place) in known[share - 1::of]:
        sets = [word for setting in (*settings, f"{place}={NO_VALUE}") for word in ("--set", setting)]
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([binaries / program, config, "--dry-run", "-q", "-o", f"{folder}/out", *sets],
                                  capture_output=True, text=True, timeout=300)
        if done.returncode != 2 or key.split(".")[-1] not in done.stderr or done.stderr.count("\n") > 3:
            wrong.append(f"{program} {config.name}: {' '.join(sets)}: status {done.returncode}: {done.stderr.strip()[-200:]}")
    print("\n".join([*wrong, f"keys_test: share {share}/{of} of {len(known)} keys of programs, {len(wrong)} without effect or test"]))
    return 1 if wrong or len(known) < 150 else 0


if __name__ == "__main__":
    sys.exit(main())
