# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that are not finite, and damaged saved solutions."""
import os

import h5py
import numpy as np

from faults.cases import KEPT, binary
from faults.processes import Lost
from faults.signals import killed_at


def spoil_value(path, name, value):
    with h5py.File(path, "r+") as file:
        values = file[name][()]
        if values.dtype.kind == "V":
            values.view(float)[-1] = value
        else:
            values.flat[-1] = value
        file[name][...] = values


def spoiled(shop, program, quick):
    """Numbers that are not finite in an input are named in a message; damaged saved solutions are solved again by --resume."""
    inputs = {"em-ngim": [("points.h5", "sources"), ("points.h5", "charges")], "fe-iiee": [("ball.h5", "nodes")],
              "ie-solve": [("skin.h5", "nodes")], "fem-solve": [("guide.h5", "nodes")],
              "fem-assemble": [("guide.h5", "nodes")], "em-optimize": [("guide.h5", "nodes")], "em-lint": [("guide.h5", "nodes")]}

    def named(file, dataset, value):
        path, sound = shop.folder / file, (shop.folder / file).read_bytes()
        spoil_value(path, dataset, value)
        place = shop.place(program)
        try:
            result = shop.run(program, place)
        finally:
            path.write_bytes(sound)
        shop.require_sound(program, place, result, {2})
        if dataset not in result.stderr and "node" not in result.stderr:
            raise Lost(f"{dataset} is not named: {result.stderr}")

    def solved_again(spoil):
        place, kept = killed_at(shop, program, KEPT[program])
        spoil(kept)
        shop.require_resumed(program, place)

    def first_array(path):
        with h5py.File(path, "r") as file:
            return next(name for name in sorted(file) if file[name].size > 0)

    def shorten(path, group="/"):
        with h5py.File(path, "r+") as file:
            place = file[group]
            name = next(name for name in sorted(place) if place[name].size > 0)
            values, attributes = place[name][:-1], dict(place[name].attrs)
            del place[name]
            place[name] = values
            place[name].attrs.update(attributes)

    shop.reference(program)
    for file, dataset in inputs.get(binary(program), []):
        for value in (np.nan, np.inf):
            yield lambda: named(file, dataset, value)
    if program not in KEPT:
        return
    if KEPT[program].endswith(".json"):
        yield lambda: solved_again(lambda path: path.write_text("{}"))
    else:
        yield lambda: solved_again(lambda path: spoil_value(path, first_array(path), np.nan))
        yield lambda: solved_again(lambda path: spoil_value(path, first_array(path), 1.0))
        yield lambda: solved_again(shorten)
    if KEPT[program] == "refinement.h5":
        yield lambda: solved_again(lambda path: shorten(path, "mesh/surfaces"))
    yield lambda: solved_again(lambda path: os.truncate(path, path.stat().st_size // 2))
    yield lambda: solved_again(lambda path: path.write_text("no HDF5 file"))
