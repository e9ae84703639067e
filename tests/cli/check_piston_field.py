# SPDX-License-Identifier: BSD-3-Clause
"""check_piston_field.py FILE RADIUS ERROR: 100 random points of configs/acoustic_cylinder.toml at 500 Hz, as VTK finds p.

The largest error against the closed form must be below ERROR of the largest pressure. Exit status 77: no vtk.
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

LENGTH, SPEED, DENSITY, VELOCITY = 1.2, 343.2, 1.2041, 1e-3
radius, angle, z = np.random.default_rng(1).uniform(0.01, 0.99, (3, 100))
radius, angle, z = float(sys.argv[2]) * np.sqrt(radius), 2 * np.pi * angle, LENGTH * z
points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), z])
reader, where, cloud, probe = vtkHDFReader(), vtkPoints(), vtkPolyData(), vtkProbeFilter()
reader.SetFileName(sys.argv[1])
reader.Update()
where.SetData(numpy_to_vtk(points, deep=True))
cloud.SetPoints(where)
probe.SetInputData(cloud)
probe.SetSourceData(reader.GetOutput())
getattr(probe, "SetCellLocator", probe.SetCellLocatorPrototype)(vtkStaticCellLocator())
probe.Update()
data = probe.GetOutput().GetPointData()
assert vtk_to_numpy(data.GetArray("vtkValidPointMask")).all(), "points that no cell holds"
found = vtk_to_numpy(data.GetArray("p_re")) + 1j * vtk_to_numpy(data.GetArray("p_im"))
k = 2 * np.pi * 500 / SPEED
scale = -1j * DENSITY * SPEED * VELOCITY / np.sin(k * LENGTH)
error = np.max(np.abs(found - scale * np.cos(k * (LENGTH - z)))) / abs(scale)
print(f"error {error:.4f}")
assert error < float(sys.argv[3]), f"error {error:.4f}, {sys.argv[3]} allowed"
