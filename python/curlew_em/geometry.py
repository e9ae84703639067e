# SPDX-License-Identifier: BSD-3-Clause
"""A model of Gmsh's Python API as files that the programs read: its geometry, which they refine, or its mesh."""
from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import Any

_FREE = 1e22  # Mesh.MeshSizeMax that is not set
_CLOSE = 1e-7  # of the size of the model: between the same entity before and after a BREP file


def save(model: Any, config: Mapping[str, Any], path: pathlib.Path) -> pathlib.Path:
    """Writes a model beside `path` and returns the file for [mesh] file: a .geo of its geometry, or a .msh of its mesh.

    The geometry if it has no mesh so far and [mesh] states a size, there is a [refinement], or the model sets no sizes itself."""
    import gmsh

    has_mesh = model.mesh.getNodes()[0].size > 0
    sized = model.mesh.field.list().size > 0 or gmsh.option.getNumber("Mesh.MeshSizeMax") < _FREE or any(model.mesh.getSizes(model.getEntities(0)))
    asked = "refinement" in config or {"size", "wavelength_fraction"} & set(config.get("mesh", {}))
    if not has_mesh and (asked or not sized) and (text := _geo(model, path.with_suffix(".brep"))):
        path = path.with_suffix(".geo")
        path.write_text(text)
        return path
    if not has_mesh:
        model.mesh.generate(3 if model.getEntities(3) else 2)
    path = path.with_suffix(".msh")
    gmsh.write(str(path))
    if not has_mesh:  # the next call decides again
        model.mesh.clear()
    return path


def _geo(model: Any, brep: pathlib.Path) -> str | None:
    """Text of a .geo that merges the BREP file, which is written, and names its entities; None where these cannot all be found
    again, or the model has what the two files do not hold: entities of Gmsh's built-in kernel, size fields, periodic faces, embedded
    entities."""
    import gmsh

    groups = [(d, model.getPhysicalName(d, tag), model.getEntitiesForPhysicalGroup(d, tag)) for d, tag in model.getPhysicalGroups() if d > 1]
    periodic = any(model.mesh.getPeriodic(2, [tag for _, tag in model.getEntities(2)]) != [tag for _, tag in model.getEntities(2)])
    embedded = any(model.mesh.getEmbedded(d, tag) for d, tag in model.getEntities() if d > 1)
    if set(model.occ.getEntities()) != set(model.getEntities()) or model.mesh.field.list().size or periodic or embedded:
        return None
    wanted = [(d, tag) for d, _, tags in groups for tag in tags]
    sizes = {point: size for point, size in zip(model.getEntities(0), model.mesh.getSizes(model.getEntities(0))) if size}
    places = {entity: _place(model, *entity) for entity in [*wanted, *sizes]}
    box = model.getBoundingBox(-1, -1)
    near = _CLOSE * max(box[i + 3] - box[i] for i in range(3))
    gmsh.write(str(brep))
    name = model.getCurrent()
    model.add(f"{name} from {brep.name}")
    try:
        gmsh.merge(str(brep))
        found = {d: [(tag, _place(model, d, tag)) for _, tag in model.getEntities(d)] for d in {d for d, _ in places}}
    finally:
        model.remove()
        model.setCurrent(name)
    new = {}
    for entity, place in places.items():
        same = [tag for tag, other in found[entity[0]] if all(abs(a - b) <= near for a, b in zip(place, other))]
        if len(same) != 1:
            return None
        new[entity] = same[0]
    lines = ['SetFactory("OpenCASCADE");', f'Merge "{brep.name}";']
    lines += [f'Physical {"Surface" if d == 2 else "Volume"}("{group}") = {{{", ".join(str(new[d, tag]) for tag in tags)}}};' for d, group, tags in groups]
    lines += [f"MeshSize {{{new[point]}}} = {size:.17g};" for point, size in sizes.items()]
    if (greatest := gmsh.option.getNumber("Mesh.MeshSizeMax")) < _FREE:
        lines.append(f"Mesh.MeshSizeMax = {greatest:.17g};")
    return "\n".join(lines) + "\n"


def _place(model: Any, dimension: int, tag: int) -> list[float]:
    """What tells an entity from all others: the centre of mass, a length of the size of the entity, the box around it."""
    if dimension == 0:
        return list(model.getValue(0, tag, []))
    return [*model.occ.getCenterOfMass(dimension, tag), model.occ.getMass(dimension, tag) ** (1 / dimension), *model.getBoundingBox(dimension, tag)]
