# SPDX-License-Identifier: BSD-3-Clause
"""Opens the file of vtkhdf_test.cpp with VTK's own reader. Exit status 77: Python's vtk is missing.

Before VTK 9.3 the reader has no steps and shows the first one: then only that is checked.
"""

import sys

try:
    from vtkmodules.vtkCommonCore import vtkVersion
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError:
    sys.exit(77)

NUM_POINTS, NUM_CELLS, STEPS = 14, 5, [1e9, 2e9, 3e9]

reader = vtkHDFReader()
reader.SetFileName(sys.argv[1])
assert reader.CanReadFile(sys.argv[1]), "VTK cannot read the file"
knows_steps = (vtkVersion().GetVTKMajorVersion(), vtkVersion().GetVTKMinorVersion()) >= (9, 3)
reader.UpdateInformation()
if knows_steps:
    times = list(reader.GetOutputInformation(0).Get(reader.GetExecutive().TIME_STEPS()))
    assert times == STEPS, times

for frequency in STEPS if knows_steps else STEPS[:1]:
    if knows_steps:
        reader.UpdateTimeStep(frequency)
    else:
        reader.Update()
    grid = reader.GetOutput()
    assert grid.GetNumberOfPoints() == NUM_POINTS, grid.GetNumberOfPoints()
    assert grid.GetNumberOfCells() == NUM_CELLS, grid.GetNumberOfCells()
    assert [grid.GetCellType(c) for c in range(NUM_CELLS)] == [10, 10, 24, 5, 22]
    assert grid.GetCell(1).GetPointId(3) == 4
    points, cells = grid.GetPointData(), grid.GetCellData()
    names = {points.GetArrayName(i) for i in range(points.GetNumberOfArrays())}
    assert names == {"E_re", "E_im", "E_abs"}, names
    assert points.GetArray("E_re").GetTuple(7) == (frequency + 7, 0, 0)
    assert points.GetArray("E_im").GetTuple(7) == (0, frequency, 0)
    assert abs(points.GetArray("E_abs").GetValue(0) - frequency * 2**0.5) < 1e-6 * frequency
    assert cells.GetArray("epsilon_r").GetValue(2) == 2
    assert cells.GetArray("order").GetValue(4) == frequency / 1e9
    assert abs(grid.GetPoint(3)[1] - 0.09) < 1e-12
