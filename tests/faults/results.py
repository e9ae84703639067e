# SPDX-License-Identifier: BSD-3-Clause
"""Results of a run as values that can be compared with those of another."""
import hashlib
import json

import h5py
import numpy as np

from faults.processes import Lost


def content(path):
    """Content of a file, without the times that HDF5 records."""
    if path.suffix not in (".h5", ".vtkhdf"):
        return path.read_bytes()
    parts = []

    def add(name, item):
        for key, value in sorted(item.attrs.items()):
            parts.append(f"{name} {key} {np.asarray(value).tolist()}")
        if isinstance(item, h5py.Dataset):
            value = item[()]
            parts.append(f"{name} {item.shape} {item.dtype} " +
                         (value.tobytes().hex() if isinstance(value, (np.ndarray, np.generic)) else repr(value)))

    with h5py.File(path, "r") as file:
        add("/", file)
        file.visititems(add)
    return "\n".join(parts).encode()


def untimed(value):
    """Without the members on how a result was computed: a resumed run has not built every operator, nor iterated for all waves."""
    if isinstance(value, dict):
        return {k: untimed(v) for k, v in value.items() if k != "products_by_tolerance" and not any(word in k for word in ("seconds", "bytes"))}
    return [untimed(v) for v in value] if isinstance(value, list) else value


def digest(place, unfinished=True):
    """Name and hash of every result; log and times are not results. @param unfinished also of files under temporary
    names"""
    files = [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.is_file())
    result = {}
    for path in files:
        name = path.name if path == place else str(path.relative_to(place))
        if path.name in ("run.log", ".lock", "report.html") or (".part-" in path.name and not unfinished):
            continue
        try:
            if path.name == "summary.json":
                data = json.dumps(untimed(json.loads(path.read_text()).get("results")), sort_keys=True).encode()
            else:
                data = content(path)
        except (OSError, ValueError) as error:
            raise Lost(f"{name} cannot be read: {error}") from None
        result[name] = hashlib.sha256(data).hexdigest()
    return result


def solutions(place):
    """All numbers of solution*.h5, and of the points that em-optimize has tried."""
    found = {}
    for path in sorted([*place.glob("solution*.h5"), *place.glob("steps.h5")]):
        with h5py.File(path, "r") as file:
            def add(name, item):
                if isinstance(item, h5py.Dataset) and item.dtype.kind in "fcV":
                    value = item[()]
                    found[f"{path.name}:{name}"] = value.view(float) if item.dtype.kind == "V" else value
            file.visititems(add)
    return found


def largest_difference(place, other):
    """Largest difference of the solutions of two runs, relative to the largest number of each."""
    values = solutions(other)
    return max((float(np.max(np.abs(values[name] - want)) / np.max(np.abs(want)))
                for name, want in solutions(place).items() if name in values and np.any(want)), default=0.0)


def left_out(place):
    """Files that may be missing: an estimate of the error that cannot be solved is left out with a warning, and so is its
    file; em-optimize has a run in each of its folders."""
    summaries = place.rglob("summary.json") if place.is_dir() else []  # have the warnings, which -q keeps off the screen
    return {str(path.with_name("errors.csv").relative_to(place)) for path in summaries if "no error estimate" in path.read_text()}


def not_finite(place):
    """Names of results that may be infinite, such as a level of zero in dB."""
    bad = []
    for path in sorted(place.rglob("*")):
        if path.suffix in (".h5", ".vtkhdf"):
            with h5py.File(path, "r") as file:
                def look(name, item):
                    if isinstance(item, h5py.Dataset) and item.dtype.kind in "fcV":
                        value = item[()]
                        value = value.view(float) if item.dtype.kind == "V" else value
                        if not np.all(np.isfinite(value)):
                            bad.append(f"{path.name}:{name}")
                file.visititems(look)
        elif path.suffix in (".csv", ".json", ".s2p"):
            text = path.read_text(errors="replace").lower()
            if "nan" in text.replace("nano", ""):
                bad.append(path.name)
    return bad
