#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every key of the shipped configs does something: a value of a wrong type, {} of an unknown name, must end a dry run with one
line that names the key. The schema says that a key is declared; this, that a reader takes it.

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
NO_VALUE = "{ no_such_name = 1 }"


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
    """{(program, key): (config, path)}: where a key stands first, small configs before others."""
    found = {}
    for path in sorted(folder.glob("*.toml"), key=lambda p: (p.stem in SLOW, p.stat().st_size)):
        config = tomllib.loads(path.read_text(encoding="utf-8"))
        for place, plain in leaves(config):
            if plain == "title":  # free text, which programs leave out where it is none
                continue
            found.setdefault((program_of(config), plain), (path, place))
    return found


def main():
    binaries, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    text = os.environ.get("CURLEW_SHARE") or sys.argv[3]
    share, of = share_of(text) or sys.exit(f"keys_test: {text} must be K/N with K from 1 to N, or today/N")
    known = sorted(cases(source / "configs").items())
    wrong = []
    for (program, key), (config, place) in known[share - 1::of]:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([binaries / program, config, "--dry-run", "-q", "-o", f"{folder}/out", "--set", f"{place}={NO_VALUE}"],
                                  capture_output=True, text=True, timeout=300)
        if done.returncode != 2 or key.split(".")[-1] not in done.stderr or done.stderr.count("\n") > 3:
            wrong.append(f"{program} {config.name}: {place} = {NO_VALUE}: status {done.returncode}: {done.stderr.strip()[-200:]}")
    print("\n".join([*wrong, f"keys_test: share {share}/{of} of {len(known)} keys of programs, {len(wrong)} have no effect"]))
    return 1 if wrong or len(known) < 150 else 0


if __name__ == "__main__":
    sys.exit(main())
