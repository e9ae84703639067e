#!/usr/bin/env python3
"""em-lint names seeded mistakes in configs that are good, and finds nothing in the good ones.

Usage: lint_test.py BIN SOURCE [--all]. Without --all: good configs that take a second or so.
"""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

# Config, changes ("key=value" for --set, "-text" takes lines with the text out, "+text" appends), words of the finding.
MISTAKES = [
    ("slab", ["mesh.unit=m"], "wavelengths large"),
    ("slab", ["mesh.unit=um"], "cut-off"),
    ("slab", ["frequency.values=[8.2, 9]"], "wavelengths large"),
    ("slab", ["frequency.values=[8.2e6]"], "cut-off"),
    ("slab", ["frequency.values=[5e9, 9e9]"], "at 5 GHz: its cut-off"),
    ("slab", ["frequency.values=[9e9, 16e9]"], "modes = 2"),
    ("slab", ["mesh.parameters.feed=1"], "behind the port"),
    ("slab", ["material.1.epsilon_r=[2.54, 0.1]"], "is gain"),
    ("slab", ["material.1.mu_r=[1, 0.1]"], "is gain"),
    ("slab", ["material.1.epsilon_r=0.254"], "is below 1, that of vacuum"),
    ("slab", ["material.1.epsilon_r=2540"], "unusually large"),
    ("slab", ["material.1.loss_tangent=2"], "2 % is 0.02"),
    ("slab", ["material.0.epsilon_r=2.54"], "the right region"),
    ("slab", ["material.1.conductivity=5.8e7"], "skin depth"),
    ("slab", ["solver.tolerance=0.1"], "allows errors"),
    ("slab", ["solver.tolerance=1e-15"], "double precision"),
    ("slab", ["solver.method=gmres", "solver.max_iterations=3"], "converges in so few"),
    ("slab", ["frequency.adaptive_tolerance=1e-3"], "saves nothing"),
    ("slab", ["accuracy.estimate=off", "accuracy.tolerance=0.01"], "to compare"),
    ("slab", ["accuracy.strict=true"], "strict needs the tolerance"),
    ("slab", ["boundary.0.type=impedance", "boundary.0.conductivity=5.8"], "does not make a good conductor"),
    ("slab", ["boundary.0.type=impedance", "boundary.0.conductivity=5.8e13"], "more than any metal"),
    ("slab", ["boundary.0.type=impedance", "boundary.0.conductivity=5.8e7", "boundary.0.roughness.model=hammerstad",
              "boundary.0.roughness.rms=0.5"], "copper foils"),
    ("slab", ["+[variables]\nspare = 1"], "used nowhere"),
    ("coax", ["output.reference_impedance=0.05"], "50 is usual"),
    ("coax", ["material.0.epsilon_r=20.7"], "the right region"),
    ("coax", ["mesh.unit=nm"], "wavelengths large"),
    ("coax", ["frequency.start=2", "frequency.stop=18"], "wavelengths large"),
    ("microstrip", ["mesh.unit=um"], "wavelengths large"),
    ("patch_in_air", ["port.0.resistance=0.05"], "50 is usual"),
    ("patch_in_air", ["mesh.parameters.radius=0.105"], "from the body"),
    ("patch_in_air", ["frequency.values=30e9", "-start =", "-stop =", "-points ="], "wavelengths long"),
    ("patch_in_air", ["+[output.far_field]\ntheta = [0, 90, 91]\nphi = [0, 90, 2]", "-[output]", "-fields"],
     "has excite = true"),
    ("patch_in_air", ["+[output.far_field]\ntheta = [0, 90, 91]\nphi = [0, 90, 2]", "-[output]", "-fields",
                      "port.0.excite=true"], "the half alone"),
    ("dipole", ["pml.0.reflection=0.5"], "allows errors"),
    ("dipole", ["excitation.position=[0, 0, 1000]"], "times the mesh's extent"),
    ("dipole", ["output.far_field.phi=[0, 720, 9]"], "directions occur twice"),
    ("dipole", ["output.far_field.theta=[0, 360, 37]", "output.far_field.phi=[0, 180, 3]"], "directions occur twice"),
    ("dipole", ["frequency.values=[30e6]"], "wavelengths thick"),
    ("sphere_in_layer", ["excitation.theta=3.1416"], "radians"),
    ("sphere_in_layer", ["excitation.phi=1.5708"], "radians"),
    ("sphere_in_layer", ["excitation.phi=[0, 30, 31]"], "is read as three angles"),
    ("sphere_in_layer", ["-far_field", "output.fields=false"], "writes no results"),
    ("dipole_strip", ["-wavelength_fraction"], "gap of zero width"),
    ("sphere_in_air", ["truncation.tolerance=0.5"], "allows errors"),
    ("sphere_in_air", ["mesh.parameters.distance=0.02"], "to the inner one"),
    ("sphere_in_air", ["truncation.max_iterations=1"], "converges in so few"),
    ("coated_cylinder", ["mesh.unit=m", "contour.0.cells=10", "contour.1.cells=10", "contour.2.cells=10"], "wavelengths large"),
    ("coated_cylinder", ["frequency.values=[10, 12]"], "wavelengths large"),
    ("coated_cylinder", ["+[[material]]\nregion = \"spare\"\nepsilon_r = 3"], "no [[contour]] has material"),
    ("acoustic_cylinder", ["material.0.density=1.2e-3"], "water 1000"),
    ("acoustic_cylinder", ["material.0.speed_of_sound=0.343"], "water 1480"),
    ("acoustic_cylinder", ["frequency.values=[1e6]"], "wavelengths large"),
    ("acoustic_cylinder", ["probe.1.point=[0, 0, 1200]"], "times the mesh's extent"),
    ("dielectric_sphere", ["material.0.epsilon_r=[4, 1]"], "is gain"),
    ("pec_sphere", ["mesh.unit=mm"], "wavelengths large"),
    ("pec_sphere", ["mesh.size=0.07", "frequency.values=[3.2e9]"], "longest edge"),
    ("perforated_films", ["boundary.0.thickness=20"], "too much for a sheet"),
]
# Findings of every run of these configs: a coarse mesh, and the equation that is better at the tip.
SAID = {"dielectric_sphere": "longest edge", "almond": "resonances"}
# Coarser meshes with the same findings.
FASTER = {config: [part for change in changes.split() for part in ("--set", change)] for config, changes in {
    "acoustic_cylinder": "space.order=1 mesh.size=0.1",
    "coax": "space.order=1 mesh.size=1.5",
    "dipole": "space.order=1 mesh.parameters.growth=0.4 mesh.parameters.size_far=0.15",
    "patch_in_air": "space.order=1 mesh.parameters.size_edge=0.006 mesh.size=0.05",
    "perforated_films": "mesh.parameters.films=1 mesh.parameters.h=30",
    "slab": "space.order=1 mesh.size=8",
    "sphere_in_layer": "space.order=1 mesh.parameters.size_body=0.5 mesh.parameters.size_air=0.8",
}.items()}
# Geometry and config for which there once was a wrong finding.
STRIP_LINE = """SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 6, 2, 3};
Point(101) = {2, 1, 0}; Point(102) = {4, 1, 0}; Point(103) = {4, 1, 3}; Point(104) = {2, 1, 3};
Line(101) = {101, 102}; Line(102) = {102, 103}; Line(103) = {103, 104}; Line(104) = {104, 101};
Curve Loop(101) = {101, 102, 103, 104}; Plane Surface(101) = {101};
BooleanFragments{ Volume{1}; Delete; }{ Surface{101}; Delete; }
strip() = Surface In BoundingBox{1.9, 0.9, -0.1, 4.1, 1.1, 3.1};
port() = Surface In BoundingBox{-1, -1, -0.1, 7, 3, 0.1};
box() = CombinedBoundary{ Volume{:}; }; box() = Abs(box()); box() -= {strip(), port()};
Physical Volume("air") = Volume{:};
Physical Surface("strip") = strip(); Physical Surface("port") = port(); Physical Surface("box") = box();
Mesh.MeshSizeMax = 1;
"""
OPEN_GUIDE = """SetFactory("OpenCASCADE");
Box(1) = {-13, -8, -32, 26, 16, 32}; Box(2) = {-11.43, -5.08, -30, 22.86, 10.16, 30}; Box(3) = {-24, -20, -44, 48, 40, 56};
BooleanDifference(4) = { Volume{1}; Delete; }{ Volume{2}; };
BooleanDifference(5) = { Volume{3}; Delete; }{ Volume{2, 4}; };
Recursive Delete { Volume{4}; }
BooleanFragments{ Volume{2, 5}; Delete; }{ }
inside() = Volume In BoundingBox{-12, -6, -31, 12, 6, 1}; outside() = Volume{:}; outside() -= {inside()};
port() = Surface In BoundingBox{-12, -6, -30.1, 12, 6, -29.9};
metal() = Surface In BoundingBox{-13.1, -8.1, -32.1, 13.1, 8.1, 0.1};
opening() = Surface In BoundingBox{-11.5, -5.1, -0.1, 11.5, 5.1, 0.1};
metal() -= {port(), opening()};
end() = CombinedBoundary{ Volume{:}; }; end() = Abs(end()); end() -= {port(), metal()};
Physical Volume("guide") = inside(); Physical Volume("room") = outside();
Physical Surface("walls") = metal(); Physical Surface("port") = port(); Physical Surface("end") = end();
Mesh.MeshSizeMax = 6;
"""
PORT = """[[port]]
region = "port"
[output]
fields = false
"""
SOUND = {
    "TEM mode of a strip in one medium": (STRIP_LINE, """[frequency]
values = [1e9]
[[material]]
region = "air"
[[boundary]]
region = ["strip", "box"]
type = "pec"
""" + PORT),
    "room beside and behind the guide, beyond its metal": (OPEN_GUIDE, """[frequency]
values = [1e10]
[[material]]
region = ["guide", "room"]
[[boundary]]
region = "walls"
type = "pec"
[[boundary]]
region = "end"
type = "absorbing"
""" + PORT),
}
QUICK = {"circle", "dipole_strip", "pec_sphere", "sphere_in_air", "strip"}


def changed(source, folder, config, changes):
    """The config with its lines changed, beside the meshes of the source; and the options for the other changes."""
    lines = (source / "configs" / f"{config}.toml").read_text().splitlines()
    for change in changes:
        if change[0] == "-":
            lines = [line for line in lines if not line.startswith(change[1:])]
        elif change[0] == "+":
            lines += change[1:].splitlines()
    path = folder / f"{config}.toml"
    path.write_text("\n".join(lines).replace("../meshes", str(source.resolve() / "meshes")) + "\n")
    return path, [part for c in changes if c[0] not in "-+" for part in ("--set", c)]


def findings(binaries, source, config, changes):
    """Exit status and error output of em-lint."""
    with tempfile.TemporaryDirectory() as scratch:
        path, options = changed(source, pathlib.Path(scratch), config, changes)
        options = (FASTER.get(config, []) if changes else []) + options
        run = subprocess.run([binaries / "em-lint", path, *options, "-o", f"{scratch}/out", "--threads", "1"],
                             capture_output=True, text=True, timeout=600)
    return run.returncode, "\n".join(line for line in run.stderr.splitlines() if "warning" in line or "error" in line
                                     or run.returncode == 2)


def of_sound(binaries, geometry, config):
    """Findings of em-lint in a config with its geometry."""
    with tempfile.TemporaryDirectory() as scratch:
        pathlib.Path(scratch, "a.geo").write_text(geometry)
        path = pathlib.Path(scratch, "a.toml")
        path.write_text('[mesh]\nfile = "a.geo"\nunit = "mm"\n[space]\norder = 1\n' + config)
        run = subprocess.run([binaries / "em-lint", path, "-o", f"{scratch}/out", "--threads", "1"],
                             capture_output=True, text=True, timeout=600)
    return run.returncode, run.stderr


def main():
    binaries, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    good = [p.stem for p in sorted((source / "configs").glob("*.toml")) if "--all" in sys.argv or p.stem in QUICK]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        of_good = list(pool.map(lambda name: findings(binaries, source, name, []), good))
        sound = list(pool.map(lambda case: of_sound(binaries, *case), SOUND.values()))
        of_mistakes = list(pool.map(lambda m: findings(binaries, source, m[0], m[1]), MISTAKES))
    alarms = [f"false alarm: {name}: {status}: {text}" for name, (status, text) in zip(good, of_good)
              if status != 0 and (name not in SAID or SAID[name] not in text)]
    alarms += [f"false alarm: {name}: {text}" for name, (status, text) in zip(SOUND, sound) if status != 0]
    missed = [f"not named: {m[0]} {m[1]} ({m[2]}): {status}: {text}"
              for m, (status, text) in zip(MISTAKES, of_mistakes) if status == 0 or m[2] not in text]
    print("\n".join(alarms + missed))
    print(f"{len(MISTAKES) - len(missed)} of {len(MISTAKES)} mistakes are named; "
          f"{len(alarms)} false alarms in {len(good) + len(SOUND)} configs")
    return 1 if alarms or missed else 0


if __name__ == "__main__":
    sys.exit(main())
