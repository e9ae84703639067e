# SPDX-License-Identifier: BSD-3-Clause
"""check_field_probe.py FILE ERROR: 400 random points of a WR-90 guide of 30 mm, as VTK's probe finds E there.

The relative error in L2 against TE10 of 1 W at 10 GHz must be below ERROR. Exit status 77: Python's vtk is missing.
"""
import sys

try:
    import numpy as np
    from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkPolyData, vtkStaticCellLocator
    from vtkmodules.vtkFiltersCore import vtkProbeFilter
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

A, B, LENGTH = 22.86e-3, 10.16e-3, 30e-3
points = np.random.default_rng(1).uniform(0.02, 0.98, (400, 3)) * [A, B, LENGTH]
reader = vtkHDFReader()
reader.SetFileName(sys.argv[1])
reader.Update()
where = vtkPoints()
where.SetData(numpy_to_vtk(points, deep=True))
cloud = vtkPolyData()
cloud.SetPoints(where)
probe = vtkProbeFilter()
probe.SetInputData(cloud)
probe.SetSourceData(reader.GetOutput())
probe.SetCellLocatorPrototype(vtkStaticCellLocator())  # as ParaView's Resample With Dataset and Plot Over Line
probe.Update()
data = probe.GetOutput().GetPointData()
assert vtk_to_numpy(data.GetArray("vtkValidPointMask")).all(), "points that no cell holds"
found = vtk_to_numpy(data.GetArray("E_re")) + 1j * vtk_to_numpy(data.GetArray("E_im"))

k = 2 * np.pi * 10e9 / 299792458.0
beta = np.sqrt(k**2 - (np.pi / A) ** 2)
e0 = np.sqrt(4 * k * 376.730313668 / beta / (A * B))  # 1 W = |E0|^2 a b / (4 Z)
right = np.zeros_like(found)
right[:, 1] = e0 * np.sin(np.pi * points[:, 0] / A) * np.exp(-1j * beta * points[:, 2])
error = np.linalg.norm(found - right) / np.linalg.norm(right)
print(f"error {error:.4f}")
assert error < float(sys.argv[2]), f"error {error:.4f}, {sys.argv[2]} allowed"
