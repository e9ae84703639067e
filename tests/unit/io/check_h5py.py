# SPDX-License-Identifier: BSD-3-Clause
"""Reads the file of hdf5_test.cpp as any Python user would, and writes one for it. Exit status 77: no h5py."""

import sys

try:
    import h5py
    import numpy
except ImportError:
    sys.exit(77)

with h5py.File(sys.argv[1]) as file:
    assert file["z"].dtype == numpy.complex128 and file["z"][0, 1] == 3 - 4j
    assert file["w"].dtype == numpy.complex64 and file["w"][0] == 1 + 2j
    assert file["z"].attrs["unit"] == "V/m"
    assert file["config"][()].decode() == "µ"
    assert file.attrs["format"] == "µ"

with h5py.File(sys.argv[2], "w") as file:
    file["z"] = numpy.array([[1 + 2j, 3 - 4j]])
    file["w"] = numpy.array([5 + 6j], dtype=numpy.complex64)
    file["config"] = "µ"
    file.attrs["format"] = "µ"
    file["nothing"] = ""
    file.attrs["nothing"] = ""
