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
        "unit": "m", "frequency": {"values": [LIGHT / rng.uniform(0.7, 1.5)]},
        "contour": [{"name": "body", "type": "polyline", "file": "body.csv", "closed": True}],
        "formulation": {"polarization": rng.choice(["tm", "te"]), "equation": "cfie"}, "excitation": {"phi": [rng.uniform(0, 360)]},
        "accuracy": {"estimate": "all"}}
    if rng.random() < 0.5:
        config["material"] = [medium(rng, "filling")]
        config["contour"][0]["material"] = "filling"
        config["formulation"].pop("equation")
    return Problem("mom2d", config, contours={"body.csv": points})


KINDS = [guide, cavity, scatterer, cylinder]
