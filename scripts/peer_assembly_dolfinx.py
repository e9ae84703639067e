# SPDX-License-Identifier: BSD-3-Clause
"""Curl-curl and mass matrix by DOLFINx on the box of em-bench assembly: microseconds per tetrahedron.

usage: peer_assembly_dolfinx.py BLOCKS ORDER straight|curved
Compiled with its fastest flags; pattern and compilation are not counted; best of three.
"""
import itertools
import sys
import time

import basix  # noqa: F401
import numpy as np
import petsc4py

petsc4py.init([sys.argv[0]])
import ufl
from dolfinx import fem, mesh
from dolfinx.fem import petsc as fem_petsc
from mpi4py import MPI

n, order, curved = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "curved"

# Kuhn's subdivision on a lattice of half blocks, so that midpoints of edges are lattice points.
step = 2 * np.eye(3, dtype=np.int64)
corners = 2 * np.stack(np.meshgrid(*3 * [np.arange(n)], indexing="ij"), -1).reshape(-1, 3)
cells = []
for path in itertools.permutations(range(3)):
    vertices = [np.zeros(3, dtype=np.int64)]
    for d in path:
        vertices.append(vertices[-1] + step[d])
    cells.append(corners[:, None, :] + np.array(vertices)[None])
cells = np.concatenate(cells)
if curved:  # edges in the order of Basix
    pairs = [(2, 3), (1, 3), (1, 2), (0, 3), (0, 2), (0, 1)]
    middles = [(cells[:, a] + cells[:, b]) // 2 for a, b in pairs]
    cells = np.concatenate([cells, np.stack(middles, 1)], 1)
width = 2 * n + 1
flat = (cells[..., 0] * width + cells[..., 1]) * width + cells[..., 2]
used, flat = np.unique(flat, return_inverse=True)
points = np.stack([used // width**2, used // width % width, used % width], -1) / (2.0 * n) * [1.0, 0.75, 0.5]
element = ufl.VectorElement("Lagrange", ufl.Cell("tetrahedron", geometric_dimension=3), 2 if curved else 1)
box = mesh.create_mesh(MPI.COMM_SELF, flat.reshape(len(cells), -1), points, ufl.Mesh(element))

V = fem.FunctionSpace(box, ("N1curl", order))
u, v = ufl.TrialFunction(V), ufl.TestFunction(V)
jit = {"cffi_extra_compile_args": ["-O3", "-march=native", "-ffast-math", "-g0"], "timeout": 900}
total, cpu = 0.0, 0.0
for integrand in (ufl.inner(ufl.curl(u), ufl.curl(v)), ufl.inner(u, v)):
    form = fem.form(integrand * ufl.dx, jit_params=jit)
    matrix = fem_petsc.create_matrix(form)
    walls, cpus = [], []
    for _ in range(3):
        matrix.zeroEntries()
        wall, processor = time.perf_counter(), time.process_time()
        fem_petsc.assemble_matrix(matrix, form)
        matrix.assemble()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - processor)
    total += min(walls)
    cpu += min(cpus)
    matrix.destroy()
count = len(cells)
print(f"  DOLFINx p = {order} {sys.argv[3]}: {total / count * 1e6:.3g} us/cell (CPU {cpu / count * 1e6:.3g}), {count} cells")
