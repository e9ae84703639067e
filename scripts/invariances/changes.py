# SPDX-License-Identifier: BSD-3-Clause
"""Changes that must not change a result. A change takes a problem with its mesh and returns both, changed.

The first kind (EXACT) keeps the mesh: results agree to rounding, however accurate they are. The second (MESHES) solves the
same on another mesh or with another order: results agree within the sum of their error bars.
"""
import copy
import math

import numpy as np


class Mesh:
    """Nodes [m], cells and triangles of a mesh.h5 of order 1, and its regions; contours of mom2d have nodes alone."""

    def __init__(self, nodes, cells=None, triangles=None, regions=None):
        self.nodes, self.cells, self.triangles = np.asarray(nodes, float), cells, triangles
        self.regions = regions or {}  # (kind, name): numbers


def turned(problem, mesh, rng):
    """About z, where a wave turns with it; about any axis without one."""
    problem = copy.deepcopy(problem)
    angle = rng.uniform(0, 360)
    waves, cell = problem.config.get("excitation"), problem.config.get("bloch")
    axis = np.array([0, 0, 1.0]) if waves or cell or mesh.cells is None else np.array([rng.gauss(0, 1) for _ in range(3)])
    axis /= np.linalg.norm(axis)
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    matrix = c * np.eye(3) + s * cross + (1 - c) * np.outer(axis, axis)
    if waves:
        waves["phi"] = [(phi + angle) % 360 for phi in waves["phi"]]
    if cell:
        cell["phi"] = (cell["phi"] + angle) % 360
    for kind in ("material", "boundary", "port"):
        for table in problem.config.get(kind, []):
            if "direction" in table:
                table["direction"] = (matrix @ table["direction"]).tolist()
            if isinstance(table.get("epsilon_r"), list):
                table["epsilon_r"] = (matrix @ np.array(table["epsilon_r"]) @ matrix.T).tolist()
    return problem, Mesh(mesh.nodes @ matrix.T[:mesh.nodes.shape[1], :mesh.nodes.shape[1]], mesh.cells, mesh.triangles, mesh.regions)


def moved(problem, mesh, rng):
    """By a kilometre."""
    away = np.array([rng.uniform(-1000, 1000) for _ in range(mesh.nodes.shape[1])])
    return problem, Mesh(mesh.nodes + away, mesh.cells, mesh.triangles, mesh.regions)


def scaled(problem, mesh, rng):
    """All lengths by a factor, all frequencies by its inverse."""
    factor = math.exp(rng.uniform(-3, 3))
    problem = copy.deepcopy(problem)
    if "frequency" in problem.config:
        problem.config["frequency"]["values"] = [f / factor for f in problem.config["frequency"]["values"]]
    if "analysis" in problem.config:
        problem.config["analysis"]["target"] /= factor
    problem.scale = factor
    return problem, Mesh(mesh.nodes * factor, mesh.cells, mesh.triangles, mesh.regions)


def renumbered(problem, mesh, rng):
    """Nodes and cells in another order."""
    if mesh.triangles is None:
        return None
    order = list(range(len(mesh.nodes)))
    rng.shuffle(order)
    number = np.argsort(order)  # of an old node in the new order
    regions, rows = {}, {}
    for kind, old in (("volumes", mesh.cells), ("surfaces", mesh.triangles)):
        new = np.sort(number[old], axis=1)
        place = np.lexsort(new.T[::-1])
        rows[kind] = new[place]
        old_to_new = np.argsort(place)
        regions.update({(k, n): np.sort(old_to_new[v]) for (k, n), v in mesh.regions.items() if k == kind})
    return problem, Mesh(mesh.nodes[order], rows["volumes"], rows["surfaces"], regions)


def renamed(problem, mesh, rng):
    """Regions get other names, tables of the config another order; ports keep theirs."""
    if mesh.triangles is None:
        return None
    names = sorted({name for _, name in mesh.regions})
    others = dict(zip(names, rng.sample(["z", "a1", "Kupfer", "port0", "Unit_7", "m", "x_y", "B", "rim"], len(names))))
    problem = copy.deepcopy(problem)
    for kind in ("material", "boundary", "port", "periodic"):
        for table in problem.config.get(kind, []):
            for key in ("region", "primary", "secondary"):
                if key in table:
                    old = table[key]
                    table[key] = [others[name] for name in old] if isinstance(old, list) else others[old]
        if kind not in ("port", "periodic") and kind in problem.config:
            rng.shuffle(problem.config[kind])
    return problem, Mesh(mesh.nodes, mesh.cells, mesh.triangles, {(k, others[n]): v for (k, n), v in mesh.regions.items()})


def alone(problem, mesh, rng):
    """One frequency of a sweep by itself."""
    if len(problem.config.get("frequency", {}).get("values", [])) < 2:
        return None
    problem = copy.deepcopy(problem)
    problem.config["frequency"]["values"] = [rng.choice(problem.config["frequency"]["values"])]
    return problem, mesh


def on_threads(problem, mesh, rng):
    problem = copy.deepcopy(problem)
    problem.threads = 2
    return problem, mesh


def of_higher_order(problem, mesh, rng):
    if "space" not in problem.config:
        return None
    problem = copy.deepcopy(problem)
    problem.config["space"]["order"] += 1
    return problem, mesh


def meshed_anew(problem, mesh, rng):
    """With another size; contours with more cells."""
    problem = copy.deepcopy(problem)
    if not problem.geo:
        problem.config["contour"][0]["cells"] = rng.randint(30, 60)
        return problem, mesh
    problem.size *= rng.uniform(0.6, 0.9)
    return problem, None


EXACT = [turned, moved, scaled, renumbered, renamed, alone, on_threads]
MESHES = [of_higher_order, meshed_anew]
