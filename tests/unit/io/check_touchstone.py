# SPDX-License-Identifier: BSD-3-Clause
"""Reads the files of touchstone_test.cpp with scikit-rf: S_ij = (i + 1 + 100 f) - j (j + 1), references 50 ohm, in
own.s3p (10 (i + 1) + f) - j (i + 2) ohm, in second.sNp (version 2) 50 + 10 i ohm. Exit status 77: not there."""

import sys

try:
    import skrf
except ImportError:
    sys.exit(77)

for name in sys.argv[1:]:
    network = skrf.Network(name)
    assert list(network.f) == [1e9, 2.5e9], network.f
    ports = network.nports
    own = [[complex(10 * (i + 1) + f, -(i + 2)) for i in range(ports)] for f in range(2)]
    second = [50 + 10 * i for i in range(ports)]
    z0 = own if name.endswith("own.s3p") else second if "second" in name else 50
    assert abs(network.z0 - z0).max() == 0, (name, network.z0)
    for f in range(2):
        for i in range(ports):
            for j in range(ports):
                assert abs(network.s[f, i, j] - complex(i + 1 + 100 * f, -(j + 1))) < 1e-9, (name, f, i, j)
