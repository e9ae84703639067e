"""Reads fields.vtkhdf with VTK and the .s2p with scikit-rf, as users do, and compares with TE10 of 1 W.

usage: check_wr90_field.py [FOLDER FREQUENCY PERMEABILITY]...
"""
import sys

try:
    import numpy as np
    import skrf
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

A, B = 22.86e-3, 10.16e-3
C0, ETA0 = 299792458.0, 376.730313668


def difference(found, right, size):
    """Relative, in the mean square of the nodes: cells hold their own values, which differ between neighbours."""
    return np.linalg.norm(found - right) / np.linalg.norm(size)


def check(folder, frequency, mu_r):
    reader = vtkHDFReader()
    reader.SetFileName(f"{folder}/fields.vtkhdf")
    reader.Update()
    data = reader.GetOutput()
    names = {data.GetPointData().GetArrayName(i) for i in range(data.GetPointData().GetNumberOfArrays())}
    assert {"E_re", "E_im", "E_abs", "H_re", "H_im", "H_abs"} <= names, names
    assert data.GetCellData().HasArray("epsilon_r")

    points = vtk_to_numpy(data.GetPoints().GetData())
    e = vtk_to_numpy(data.GetPointData().GetArray("E_re")) + 1j * vtk_to_numpy(data.GetPointData().GetArray("E_im"))
    h = vtk_to_numpy(data.GetPointData().GetArray("H_re")) + 1j * vtk_to_numpy(data.GetPointData().GetArray("H_im"))
    k0 = 2 * np.pi * frequency / C0
    beta = np.sqrt(mu_r * k0**2 - (np.pi / A) ** 2)
    z_te = mu_r * k0 * ETA0 / beta
    # 1 W = |E0|^2 a b / (4 Z)
    e0 = np.sqrt(4 * z_te / (A * B))
    expected_e = e0 * np.sin(np.pi * points[:, 0] / A) * np.exp(-1j * beta * points[:, 2])

    # power flows along +z: H_x = -E_y / Z
    assert difference(e[:, 1], expected_e, expected_e) < 0.02
    assert difference(e[:, [0, 2]], 0, expected_e) < 0.02
    assert difference(-z_te * h[:, 0], expected_e, expected_e) < 0.04

    network = skrf.Network(f"{folder}/wr90.s2p")
    assert network.nports == 2 and abs(network.f[0] - frequency) < 1
    length = points[:, 2].max()
    assert abs(network.s[0, 1, 0] - np.exp(-1j * beta * length)) < 1e-3


for folder, frequency, mu_r in zip(sys.argv[1::3], sys.argv[2::3], sys.argv[3::3]):
    check(folder, float(frequency), float(mu_r))
print("fields and S-parameters read as VTK and scikit-rf read them")
