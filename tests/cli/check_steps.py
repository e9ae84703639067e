# SPDX-License-Identifier: BSD-3-Clause
"""check_steps.py FILE F1,F2,... [F OTHER]: VTK sees these steps; the field at F is that of the only step of OTHER.

Exit status 77: Python's vtk (9.3 or later, for steps) or h5py is missing.
"""
import sys

try:
    import h5py
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkVersion
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
if (vtkVersion().GetVTKMajorVersion(), vtkVersion().GetVTKMinorVersion()) < (9, 3):
    sys.exit(77)


def read(name, step=None):
    """E [points, 3] as VTK shows it at a step, or at the first one."""
    reader = vtkHDFReader()
    reader.SetFileName(name)
    reader.UpdateInformation()
    if step is not None:
        reader.UpdateTimeStep(step)
    else:
        reader.Update()
    data = reader.GetOutput().GetPointData()
    return vtk_to_numpy(data.GetArray("E_re")) + 1j * vtk_to_numpy(data.GetArray("E_im"))


name, expected = sys.argv[1], [float(f) for f in sys.argv[2].split(",")]
steps = h5py.File(name)["VTKHDF/Steps/Values"][:]
assert len(steps) == len(expected) and np.allclose(steps, expected, rtol=1e-12), steps
assert np.all(np.diff(steps) > 0), steps
if len(sys.argv) > 3:
    found, right = read(name, float(sys.argv[3])), read(sys.argv[4])
    error = np.linalg.norm(found - right) / np.linalg.norm(right)
    assert error < 1e-6, f"field at {sys.argv[3]} differs by {error:.1e}"
    others = [f for f in expected if abs(f - float(sys.argv[3])) > 1]
    assert all(np.linalg.norm(read(name, f) - right) > 0.1 * np.linalg.norm(right) for f in others)
