# SPDX-License-Identifier: BSD-3-Clause
"""Touchstone files as input of the scripts that need scikit-rf; one line and an exit status for what is wrong."""
import pathlib
import sys

import numpy as np
import skrf

PROGRAM = pathlib.Path(sys.argv[0]).name


def fail(status, text):
    print(f"{PROGRAM}: {text}", file=sys.stderr)
    sys.exit(status)


def warn(text):
    print(f"{PROGRAM}: warning: {text}", file=sys.stderr)


def read(path, fewest, purpose):
    """The network of a file of finite numbers at `fewest` frequencies or more, which `purpose` needs; else exit status 2."""
    try:
        network = skrf.Network(str(path))
    except Exception as error:  # scikit-rf raises many kinds of exceptions
        fail(2, f"{path}: not a Touchstone file that scikit-rf reads ({error})")
    if len(network.f) < fewest:
        fail(2, f"{path}: {len(network.f)} frequencies, {purpose} needs at least {fewest}")
    if not (np.isfinite(network.f).all() and np.isfinite(network.z0).all()):
        fail(2, f"{path}: a frequency or a reference impedance is not a finite number")
    bad = ~np.isfinite(network.s).all(axis=(1, 2))
    if bad.any():
        fail(2, f"{path}: S at {network.f[bad.argmax()]:.6g} Hz is not a finite number")
    return network
