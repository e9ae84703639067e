# SPDX-License-Identifier: BSD-3-Clause
"""Configs that are Python dictionaries, as TOML text."""
from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any


def key(name: Any) -> str:
    """A key, in quotes where TOML needs them.

    >>> key("epsilon_r"), key("port 1")
    ('epsilon_r', '"port 1"')
    """
    return str(name) if re.fullmatch(r"[A-Za-z0-9_-]+", str(name)) else json.dumps(str(name), ensure_ascii=False)


def value(thing: Any) -> str:
    """A value on one line; complex numbers are [re, im], as the programs read them.

    >>> value({"gap": 1.5, "names": ["a", "b"], "epsilon_r": 4 - 0.2j})
    '{ gap = 1.5, names = ["a", "b"], epsilon_r = [4.0, -0.2] }'
    """
    thing = thing.tolist() if hasattr(thing, "tolist") else thing  # of NumPy
    if isinstance(thing, complex):
        thing = [thing.real, thing.imag]
    if isinstance(thing, Mapping):
        return "{ " + ", ".join(f"{key(k)} = {value(v)}" for k, v in thing.items()) + " }"
    if isinstance(thing, Sequence) and not isinstance(thing, str):
        return "[" + ", ".join(map(value, thing)) + "]"
    if thing is None or not isinstance(thing, (str, bool, int, float)):
        raise TypeError(f"{thing!r} has no place in a config: a text, a number, a list or a table")
    return json.dumps(thing, ensure_ascii=False).replace("NaN", "nan").replace("Infinity", "inf") if isinstance(
        thing, float) else json.dumps(thing, ensure_ascii=False)


def text(config: Mapping[str, Any]) -> str:
    """The config with one paragraph per table, so that the line number of an error gives its position.

    >>> print(text({"port": [{"region": "p1"}], "title": "iris", "mesh": {"unit": "mm"}}))
    title = "iris"
    <BLANKLINE>
    [mesh]
    unit = "mm"
    <BLANKLINE>
    [[port]]
    region = "p1"
    <BLANKLINE>
    """
    plain, single, lists = [], [], []
    for name, held in config.items():
        if isinstance(held, Mapping):
            single.append((f"[{key(name)}]", held))
        elif isinstance(held, Sequence) and held and all(isinstance(entry, Mapping) for entry in held):
            lists += [(f"[[{key(name)}]]", entry) for entry in held]
        else:
            plain.append((name, held))
    lines = [f"{key(name)} = {value(held)}" for name, held in plain]
    for head, table in single + lists:
        lines += ["", head, *(f"{key(k)} = {value(v)}" for k, v in table.items())]
    return "\n".join(lines) + "\n"
