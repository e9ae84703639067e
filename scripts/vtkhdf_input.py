# SPDX-License-Identifier: BSD-3-Clause
"""Reads the .vtkhdf files of the programs for the plotting scripts."""
import sys

import h5py
import numpy as np
from vtkmodules.vtkIOHDF import vtkHDFReader


def read(file: str, step: int = 0, nearest: float | None = None):
    """Data set and value of a step, counted from 0, or of the one whose value (Hz, mode) is nearest."""
    program = sys.argv[0].rsplit("/", 1)[-1]
    if not h5py.is_hdf5(file):
        raise SystemExit(f"{program}: {file} is missing or no HDF5 file; a .vtkhdf is needed")
    reader = vtkHDFReader()
    reader.SetFileName(file)
    with h5py.File(file) as fields:  # the reader tells nothing of a single step
        times = fields["VTKHDF/Steps/Values"][:] if "Steps" in fields["VTKHDF"] else [0.0]
    if nearest is not None:
        step = int(np.argmin(np.abs(np.asarray(times) - nearest)))
    if not -len(times) <= step < len(times):
        raise SystemExit(f"{program}: there is no step {step}: {file} has {len(times)}, counted from 0")
    reader.SetStep(step)
    reader.Update()
    return reader.GetOutput(), times[step]


def array_names(attributes) -> list[str]:
    """Of GetPointData() or GetCellData()."""
    return [attributes.GetArrayName(i) for i in range(attributes.GetNumberOfArrays())]


def unit_of(file: str, kind: str, array: str) -> str:
    """@param kind PointData or CellData"""
    with h5py.File(file) as fields:
        unit = fields["VTKHDF"][kind][array].attrs.get("unit", b"")
    return unit.decode() if isinstance(unit, bytes) else str(unit)


def step_name(value: float) -> str:
    """Steps are frequencies in Hz, or numbers of modes or excitations."""
    return f"{value * 1e-9:.6g} GHz" if value >= 1e6 else f"step {value:.6g}"
