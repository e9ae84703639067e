# SPDX-License-Identifier: BSD-3-Clause
"""check_field_values.py FIELDS NEAR ERROR: E and H that VTK finds in fields.vtkhdf at the points of near_NAME.csv.

The table holds the elements' own values; of its first frequency and excitation all must be within ERROR of the file's
largest field. VTK's own tolerance is 1e-3 of the data set's size: from version 9.7 on, the neighbour may be found for
points within that distance of it. With that tolerance nine in ten points must be right. Exit status 77: Python's vtk is missing.
"""
import csv
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


def rows_of_elements(file):
    with open(file) as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    first = next((r for r in rows if r["field"] == "total"), rows[0])
    rows = [r for r in rows if all(r[key] == first[key] for key in ("frequency_hz", "excitation", "field"))]
    assert all(r["origin"] == "elements" for r in rows), "points outside of the elements"
    return rows


def complex_array(points, name):
    return vtk_to_numpy(points.GetArray(name + "_re")) + 1j * vtk_to_numpy(points.GetArray(name + "_im"))


def probe(grid, points, tolerance):
    """Point data there, and which points are found. @param tolerance in sizes of the grid; None: VTK's own"""
    where, cloud, filter_ = vtkPoints(), vtkPolyData(), vtkProbeFilter()
    where.SetData(numpy_to_vtk(points, deep=True))
    cloud.SetPoints(where)
    filter_.SetInputData(cloud)
    filter_.SetSourceData(grid)
    # That of ParaView's filters; VTK before 9.7 looks only around the nearest node if it is told nothing.
    if hasattr(filter_, "SetCellLocator"):
        filter_.SetCellLocator(vtkStaticCellLocator())
    else:
        filter_.SetCellLocatorPrototype(vtkStaticCellLocator())
    if tolerance is not None:
        filter_.ComputeToleranceOff()
        filter_.SetTolerance(tolerance * grid.GetLength())
    filter_.Update()
    data = filter_.GetOutput().GetPointData()
    return data, vtk_to_numpy(data.GetArray("vtkValidPointMask")).astype(bool)


def main():
    fields, near, allowed = sys.argv[1], sys.argv[2], float(sys.argv[3])
    rows = rows_of_elements(near)
    points = np.array([[float(r[axis + "_m"]) for axis in "xyz"] for r in rows])
    reader = vtkHDFReader()
    reader.SetFileName(fields)
    reader.Update()
    grid = reader.GetOutput()
    for tolerance, share in ((1e-9, 0), (None, 0.1)):
        data, found = probe(grid, points, tolerance)
        assert found.all(), f"{np.count_nonzero(~found)} points that no cell holds"
        for field in "EH":
            own = np.array([[complex(float(r[f"re_{field.lower()}{axis}"]), float(r[f"im_{field.lower()}{axis}"]))
                             for axis in "xyz"] for r in rows])
            largest = np.linalg.norm(complex_array(grid.GetPointData(), field), axis=1).max()
            errors = np.linalg.norm(complex_array(data, field) - own, axis=1) / largest
            wrong = np.mean(errors > allowed)
            print(f"{field}, tolerance {tolerance}: error {errors.max():.2e}")
            assert wrong <= share, f"{field}, tolerance {tolerance}: {wrong:.0%} of the points are wrong"


main()
