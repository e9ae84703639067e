# SPDX-License-Identifier: BSD-3-Clause
"""Reads Touchstone files that fem-solve wrote with scikit-rf, as users do. Exit status 77: scikit-rf is not there.

check_networks.py guide MODAL.s4p RENORMALISED.s4p PORTS.csv: a lossy slab in WR-90, nearer to port 1 than to port 2, two
modes at each port, against its transmission lines.
check_networks.py lumped NAME.s1p SUMMARY.json: the impedance that a lumped port sees.
"""

import csv
import json
import sys

try:
    import numpy as np
    import skrf
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

C0, A = 299792458.0, 22.86e-3
BEFORE, SLAB, BEHIND, EPSILON = 4e-3, 6e-3, 11e-3, 2.5 - 0.2j


def exact(frequency, m):
    """S of the mode TE_m0, referred to the two faces: three lines in cascade, between the first's impedance."""
    k = 2 * np.pi * frequency / C0

    def gamma(epsilon):
        return np.sqrt((m * np.pi / A) ** 2 - k**2 * epsilon + 0j)

    air, slab = gamma(1), gamma(EPSILON)  # impedances of TE modes are j omega mu / gamma
    chain = np.eye(2, dtype=complex)
    for g, length in ((air, BEFORE), (slab, SLAB), (air, BEHIND)):
        z, x = air / g, g * length
        chain = chain @ np.array([[np.cosh(x), z * np.sinh(x)], [np.sinh(x) / z, np.cosh(x)]])
    (a, b), (c, d) = chain
    return np.array([[a + b - c - d, 2], [2, -a + b - c + d]]) / (a + b + c + d)


def check_guide(modal_file, renormalised_file, ports_file):
    modal, renormalised = skrf.Network(modal_file), skrf.Network(renormalised_file)
    for network in (modal, renormalised):
        assert network.nports == 4
        assert list(network.f) == [13.6e9, 14.2e9], network.f  # ascending, though requested in the reverse order
        assert network.port_names == ["port1 TE10", "port1 TE20", "port2 TE10", "port2 TE20"], network.port_names
    for f, frequency in enumerate(modal.f):
        s = modal.s[f]
        first, second = exact(frequency, 1), exact(frequency, 2)
        assert np.abs(s[np.ix_([0, 2], [0, 2])] - first).max() < 4e-3, s[np.ix_([0, 2], [0, 2])] - first
        sign = np.sign((s[3, 1] / second[1, 0]).real)  # the sign of the second mode is arbitrary at each port
        signed = second * np.array([[1, sign], [sign, 1]])
        assert np.abs(s[np.ix_([1, 3], [1, 3])] - signed).max() < 4e-3, s[np.ix_([1, 3], [1, 3])] - signed
        assert np.abs(s[np.ix_([0, 2], [1, 3])]).max() < 4e-3  # the slab couples no two modes
        assert abs(first[0, 0] - first[1, 1]) > 0.1  # else a file with its ports exchanged would pass
        # passive: no combination of waves gets out more power than goes in, here less, the slab being lossy
        assert np.linalg.svd(s, compute_uv=False)[0] < 0.999
        assert np.abs(s - s.T).max() < 1e-8

    assert modal.s_def == "power" and np.all(renormalised.z0 == 50)
    rows = list(csv.DictReader(line for line in open(ports_file) if not line.startswith("#")))
    z0 = {(float(r["frequency_hz"]), r["port"], r["mode"]): float(r["re_z0_ohm"]) for r in rows}
    stated = [[z0[f, p, m] for p in ("port1", "port2") for m in ("TE10", "TE20")] for f in modal.f]
    assert np.abs(modal.z0 / stated - 1).max() < 1e-9, modal.z0
    modal.renormalize(50)
    assert np.abs(modal.s - renormalised.s).max() < 1e-9, np.abs(modal.s - renormalised.s).max()


def check_lumped(network_file, summary_file):
    network, summary = skrf.Network(network_file), json.load(open(summary_file))
    assert network.nports == 1 and np.all(network.z0 == 120), network.z0
    assert abs(network.s).max() < 1
    stated = [complex(*row["input_impedance_1_ohm"]) for row in summary["results"]["s_parameters"]]
    assert np.abs(network.z[:, 0, 0] - stated).max() < 1e-6 * np.abs(stated).max()


{"guide": check_guide, "lumped": check_lumped}[sys.argv[1]](*sys.argv[2:])
print("read as scikit-rf reads them")
