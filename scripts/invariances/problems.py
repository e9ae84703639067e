# SPDX-License-Identifier: BSD-3-Clause
"""Ordinary problems with random dimensions."""
from dataclasses import dataclass, field

LIGHT = 299792458.0


@dataclass
class Problem:
    """One run of a program. `geo` is a geometry in metres for em-mesh, or "" where the config holds all lengths itself."""
    program: str
    config: dict
    geo: str = ""
    size: float = 0.0  # [m] of edges
    contours: dict = field(default_factory=dict)  # name: points [m], for mom2d
    rounding: float = 1e-6  # of values from the same mesh


def box(number, corner, lengths):
    return f"Box({number}) = {{{', '.join(repr(float(x)) for x in (*corner, *lengths))}}};\n"


def block_inside(rng, corner, lengths):
    """A box that touches no wall of another, in metres."""
    low = [c + l * rng.uniform(0.1, 0.4) for c, l in zip(corner, lengths)]
    high = [c + l * rng.uniform(0.6, 0.9) for c, l in zip(corner, lengths)]
    return low, [h - l for h, l in zip(high, low)]


def medium(rng, region):
    table = {"region": region, "epsilon_r": round(rng.uniform(1.5, 4), 3)}
    if rng.random() < 0.5:
        table["loss_tangent"] = round(rng.uniform(0.001, 0.05), 4)
    return table


def boxes_in_a_box(rng, lengths):
    corner, inner = block_inside(rng, (0, 0, 0), lengths)
    return ('SetFactory("OpenCASCADE");\n' + box(1, (0, 0, 0), lengths) + box(2, corner, inner) +
            'BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }\n'
            'Physical Volume("block") = {2};\nPhysical Volume("air") = {3};\n')


def guide(rng):
    """A waveguide with a dielectric block between its two ports, in the band of one mode."""
    a = rng.uniform(0.015, 0.03)
    lengths = (a, a * rng.uniform(0.35, 0.48), a * rng.uniform(1, 1.8))
    cutoff = LIGHT / (2 * a)
    geo = boxes_in_a_box(rng, lengths)
    e = 1e-6
    for name, z in (("port1", 0), ("port2", lengths[2])):
        geo += (f"{name}() = Surface In BoundingBox{{-{e}, -{e}, {z - e}, {lengths[0] + e}, {lengths[1] + e}, {z + e}}};\n"
                f'Physical Surface("{name}") = {{{name}()}};\n')
    geo += ('walls() = CombinedBoundary{ Volume{:}; };\nwalls() -= {port1(), port2()};\nPhysical Surface("walls") = {walls()};\n')
    frequencies = sorted(cutoff * rng.uniform(1.25, 1.85) for _ in range(2))
    return Problem("fem-solve", {
        "frequency": {"values": frequencies}, "material": [{"region": "air", "epsilon_r": 1.0}, medium(rng, "block")],
        "boundary": [{"region": "walls", "type": "pec"}], "space": {"order": 2}, "output": {"fields": False},
        "port": [{"region": f"port{i}", "type": "waveguide", "modes": 1} for i in (1, 2)],
        "accuracy": {"estimate": "all"}}, geo, a / 3)


def cavity(rng):
    """A metal box with a dielectric block, its lowest modes."""
    lengths = [rng.uniform(0.02, 0.04) for _ in range(3)]
    geo = boxes_in_a_box(rng, lengths) + 'Physical Surface("walls") = { CombinedBoundary{ Volume{:}; } };\n'
    lowest = LIGHT / 2 * (sum(sorted((1 / x**2 for x in lengths))[:2])) ** 0.5
    block = medium(rng, "block")
    block.pop("loss_tangent", None)
    return Problem("fem-solve", {
        "analysis": {"type": "eigen", "modes": 3, "target": 0.5 * lowest}, "space": {"order": 2}, "output": {"fields": False},
        "material": [{"region": "air", "epsilon_r": 1.0}, block], "boundary": [{"region": "walls", "type": "pec"}],
        "accuracy": {"estimate": "all"}}, geo, min(lengths) / 2)


def scatterer(rng):
    """A metal box in a plane wave; turned about z it needs its wave turned alike."""
    lengths = [rng.uniform(0.2, 0.6) for _ in range(3)]
    geo = ('SetFactory("OpenCASCADE");\n' + box(1, (0, 0, 0), lengths) +
           'Physical Surface("body") = Boundary{ Volume{1}; };\n')
    frequency = LIGHT / (max(lengths) * rng.uniform(0.8, 1.6))
    return Problem("ie-solve", {
        "frequency": {"values": [frequency]}, "formulation": {"equation": "cfie"}, "boundary": [{"region": "body", "type": "pec"}],
        "excitation": {"type": "plane_wave", "theta": [rng.uniform(20, 160)], "phi": [rng.uniform(0, 360)],
                       "polarization": rng.choice(["theta", "phi"])},
        "output": {"fields": False}, "accuracy": {"estimate": "all"}}, geo, LIGHT / frequency / 8)


def cylinder(rng):
    """A metal or dielectric cylinder whose section is a polygon."""
    from math import cos, pi, sin
    n = rng.randint(3, 7)
    points = [(r * cos(2 * pi * i / n), r * sin(2 * pi * i / n)) for i in range(n) for r in [rng.uniform(0.3, 0.6)]]
    config = {
        "mesh": {"unit": "m"}, "frequency": {"values": [LIGHT / rng.uniform(0.7, 1.5)]},
        "contour": [{"name": "body", "type": "polyline", "file": "body.csv", "closed": True}],
        "formulation": {"equation": "cfie"}, "excitation": {"polarization": rng.choice(["tm", "te"]), "phi": [rng.uniform(0, 360)]},
        "accuracy": {"estimate": "all"}}
    if rng.random() < 0.5:
        config["material"] = [medium(rng, "filling")]
        config["contour"][0]["material"] = "filling"
        config["formulation"].pop("equation")
    return Problem("mom2d", config, contours={"body.csv": points},
                   rounding=1e-5)  # cells at a corner are 1e-6 of a side, which a kilometre away keeps 1e-13 m


def side(name, low, high):
    """The faces of a box between two corners, as a named surface."""
    e = 1e-4 * max(abs(x) for x in (*low, *high))
    span = ", ".join(repr(x - e) for x in low) + ", " + ", ".join(repr(x + e) for x in high)
    return f'{name}() = Surface In BoundingBox{{{span}}};\nPhysical Surface("{name}") = {{{name}()}};\n'


def line(rng):
    """Plates with magnetic side walls between lumped ports, partly filled: a lossy one-sided tensor, or a resistor across."""
    length, width, height = rng.uniform(4e-3, 8e-3), rng.uniform(1e-3, 3e-3), rng.uniform(0.5e-3, 1e-3)
    cut = length * rng.uniform(0.3, 0.7)
    geo = ('SetFactory("OpenCASCADE");\n' + box(1, (0, 0, 0), (cut, width, height)) +
           box(2, (cut, 0, 0), (length - cut, width, height)) + 'BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }\n'
           'Physical Volume("near_half") = {1};\nPhysical Volume("far_half") = {2};\n' +
           side("port1", (0, 0, 0), (0, width, height)) + side("port2", (length, 0, 0), (length, width, height)) +
           side("bottom", (0, 0, 0), (length, width, 0)) + side("top", (0, 0, height), (length, width, height)) +
           side("across", (cut, 0, 0), (cut, width, height)) +
           'sides() = CombinedBoundary{ Volume{:}; };\nsides() -= {port1(), port2(), bottom(), top()};\nPhysical Surface("sides") = {sides()};\n')
    tensor = [[round(rng.uniform(1, 4), 3) if i == j else 0 for j in range(3)] for i in range(3)]
    boundary = [{"region": name, "type": "pec"} for name in ("bottom", "top")] + [{"region": "sides", "type": "pmc"}]
    if rng.random() < 0.5:
        boundary.append({"region": "across", "type": "lumped", "direction": [0, 0, 1], "resistance": rng.uniform(10, 500)})
    return Problem("fem-solve", {
        "frequency": {"values": sorted(LIGHT / length * rng.uniform(0.02, 0.3) for _ in range(2))},
        "material": [{"region": "near_half", "epsilon_r": tensor}, medium(rng, "far_half")], "boundary": boundary,
        "space": {"order": 2}, "output": {"fields": False}, "accuracy": {"estimate": "all"},
        "port": [{"region": f"port{i}", "type": "lumped", "direction": [0, 0, 1], "resistance": rng.uniform(20, 200)}
                 for i in (1, 2)]}, geo, width)


def body(rng):
    """A dielectric box in a plane wave, by the equations of its surface."""
    lengths = [rng.uniform(0.2, 0.5) for _ in range(3)]
    geo = ('SetFactory("OpenCASCADE");\n' + box(1, (0, 0, 0), lengths) +
           'Physical Surface("body") = Boundary{ Volume{1}; };\n')
    frequency = LIGHT / (max(lengths) * rng.uniform(1.5, 3))
    return Problem("ie-solve", {
        "frequency": {"values": [frequency]}, "formulation": {"equation": "efie"}, "material": [medium(rng, "body")],
        "excitation": {"type": "plane_wave", "theta": [rng.uniform(20, 160)], "phi": [rng.uniform(0, 360)],
                       "polarization": rng.choice(["theta", "phi"])},
        "output": {"fields": False}, "accuracy": {"estimate": "all"}}, geo, LIGHT / frequency / 10,
        rounding=1e-5)  # rules for near triangles follow the order of their vertices


def dipole(rng):
    """A strip with a gap port at any place."""
    length = rng.uniform(0.3, 0.8)
    width, gap = length * rng.uniform(0.02, 0.06), length * rng.uniform(0.25, 0.75)
    geo = ('SetFactory("OpenCASCADE");\n' + f"Rectangle(1) = {{0, 0, 0, {gap!r}, {width!r}}};\n"
           f"Rectangle(2) = {{{gap!r}, 0, 0, {length - gap!r}, {width!r}}};\nBooleanFragments{{ Surface{{1}}; Delete; }}{{ Surface{{2}}; Delete; }}\n" +
           side("lower", (0, 0, 0), (gap, width, 0)) + side("upper", (gap, 0, 0), (length, width, 0)))
    return Problem("ie-solve", {
        "frequency": {"values": sorted(LIGHT / length * rng.uniform(0.3, 0.9) for _ in range(2))},
        "formulation": {"equation": "efie"}, "boundary": [{"region": ["lower", "upper"], "type": "pec"}],
        "port": [{"name": "feed", "type": "gap", "region": ["lower", "upper"]}],
        "output": {"fields": False}, "accuracy": {"estimate": "all"}}, geo, width,
        rounding=1e-5)  # as of a body


def cell(rng):
    """A slab in a unit cell, for waves from any side."""
    a, slab, air = rng.uniform(5e-3, 10e-3), rng.uniform(2e-3, 4e-3), rng.uniform(4e-3, 8e-3)
    heights = (0, air, air + slab, 2 * air + slab)
    geo = 'SetFactory("OpenCASCADE");\n' + "".join(
        box(i + 1, (0, 0, low), (a, a, high - low)) for i, (low, high) in enumerate(zip(heights, heights[1:])))
    geo += 'BooleanFragments{ Volume{1, 2, 3}; Delete; }{ }\nPhysical Volume("air") = {1, 3};\nPhysical Volume("slab") = {2};\n'
    e = 1e-4 * a
    for low, high in zip(heights, heights[1:]):
        for move, first, second in (((a, 0, 0), (0, 0, 0, 0, a), (a, 0, 0, a, a)), ((0, a, 0), (0, 0, 0, a, 0), (0, a, 0, a, a))):
            for name, (x0, y0, _, x1, y1) in (("p", first), ("q", second)):
                geo += f"{name}() = Surface In BoundingBox{{{x0 - e}, {y0 - e}, {low - e}, {x1 + e}, {y1 + e}, {high + e}}};\n"
            geo += f"Periodic Surface{{q(0)}} = {{p(0)}} Translate{{{', '.join(map(repr, move))}}};\n"
    top = heights[-1]
    geo += (side("left", (0, 0, 0), (0, a, top)) + side("right", (a, 0, 0), (a, a, top)) + side("front", (0, 0, 0), (a, 0, top)) +
            side("back", (0, a, 0), (a, a, top)) + side("port1", (0, 0, 0), (a, a, 0)) + side("port2", (0, 0, top), (a, a, top)))
    return Problem("fem-solve", {
        "frequency": {"values": [LIGHT / a * rng.uniform(0.2, 0.45)]}, "bloch": {"theta": rng.uniform(5, 50), "phi": rng.uniform(0, 360)},
        "material": [{"region": "air", "epsilon_r": 1.0}, medium(rng, "slab")], "space": {"order": 2},
        "periodic": [{"primary": "left", "secondary": "right"}, {"primary": "front", "secondary": "back"}],
        "port": [{"region": f"port{i}", "type": "floquet"} for i in (1, 2)],
        "output": {"fields": False}, "accuracy": {"estimate": "all"}}, geo, a / 3)


KINDS = [guide, cavity, scatterer, cylinder, line, body, dipole, cell]
