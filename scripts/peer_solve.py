#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The driven solve of `em-bench direct` beside DOLFINx with MUMPS LDL^T: same mesh, machine and threads, in one run.

    scripts/peer_solve.py [--bench build/release/bin/em-bench] [--threads 2] [--orders 1,2,3] [--rounds 1] [--json FILE]

Prints seconds, memory and ratios (ours / DOLFINx). On shared cores take --threads 1 and the CPU seconds. Needs
Debian's python3-dolfinx-complex; every measurement runs in a separate process, for its peak memory.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

BLOCKS = {1: (37, 28, 19), 2: (21, 16, 11), 3: (15, 11, 8)}  # as in apps/bench/direct.cpp
SIZE = (1.0, 0.75, 0.5)
WAVENUMBER = 10.0


def kuhn_box(blocks):
    """Vertices [n, 3] and tetrahedra [m, 4] of the mesh that src/mesh/box.cpp makes."""
    import itertools
    import numpy as np
    nx, ny, nz = blocks
    z, y, x = np.meshgrid(*(np.arange(n + 1) for n in (nz, ny, nx)), indexing="ij")
    points = np.stack([c.ravel() * s / n for c, s, n in zip((x, y, z), SIZE, blocks)], axis=1)
    step = np.array([1, nx + 1, (nx + 1) * (ny + 1)])
    k, j, i = np.meshgrid(*(np.arange(n) for n in (nz, ny, nx)), indexing="ij")
    corner = (i * step[0] + j * step[1] + k * step[2]).ravel()
    cells = [np.stack([corner, corner + step[a], corner + step[a] + step[b], corner + step.sum()], axis=1)
             for a, b, _ in itertools.permutations(range(3))]
    return points, np.concatenate(cells)


def peer(order):
    """One DOLFINx run; prints a line of JSON."""
    import resource
    import time
    import numpy as np
    import petsc4py
    petsc4py.init([sys.argv[0]])
    import dolfinx
    import ufl
    from dolfinx import fem
    from dolfinx.fem import petsc as fem_petsc
    from mpi4py import MPI
    from petsc4py import PETSc
    PETSc.Log.begin()
    points, cells = kuhn_box(BLOCKS[order])
    mesh = dolfinx.mesh.create_mesh(MPI.COMM_WORLD, cells, points,
                                    ufl.Mesh(ufl.VectorElement("Lagrange", ufl.tetrahedron, 1)))
    space = fem.FunctionSpace(mesh, ("N1curl", order))
    on = lambda value, wall: np.isclose(value, wall)
    pec = lambda x: (on(x[0], 0) | on(x[1], 0) | on(x[1], SIZE[1]) | on(x[2], 0) | on(x[2], SIZE[2]))
    walls = dolfinx.mesh.locate_entities_boundary(mesh, 2, pec)
    port = np.sort(dolfinx.mesh.locate_entities_boundary(mesh, 2, lambda x: on(x[0], SIZE[0])))
    zero = fem.Function(space)
    zero.x.array[:] = 0
    bc = fem.dirichletbc(zero, fem.locate_dofs_topological(space, 2, walls))
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    n, x = ufl.FacetNormal(mesh), ufl.SpatialCoordinate(mesh)
    tags = dolfinx.mesh.meshtags(mesh, 2, port, np.full(len(port), 2, dtype=np.int32))
    ds = ufl.Measure("ds", domain=mesh, subdomain_data=tags)
    tangential = lambda w: w - ufl.dot(w, n) * n
    beta = np.sqrt(WAVENUMBER ** 2 - (np.pi / SIZE[1]) ** 2)
    a = fem.form(ufl.inner(ufl.curl(u), ufl.curl(v)) * ufl.dx - WAVENUMBER ** 2 * ufl.inner(u, v) * ufl.dx
                 + 1j * beta * ufl.inner(tangential(u), tangential(v)) * ds(2))
    incident = ufl.as_vector((0, 0, ufl.sin(np.pi * x[1] / SIZE[1])))
    load = fem.form(2j * beta * ufl.inner(incident, tangential(v)) * ds(2))
    matrix = fem_petsc.assemble_matrix(a, bcs=[bc])
    matrix.assemble()
    rhs = fem_petsc.assemble_vector(load)
    fem_petsc.set_bc(rhs, [bc])
    matrix.setOption(PETSc.Mat.Option.SYMMETRIC, True)
    ksp = PETSc.KSP().create(MPI.COMM_WORLD)
    ksp.setOperators(matrix)
    ksp.setType("preonly")
    ksp.getPC().setType("cholesky")  # complex Cholesky by MUMPS is LDL^T with SYM = 2
    ksp.getPC().setFactorSolverType("mumps")
    ksp.getPC().setFactorSetUpSolverType()
    cpu = time.process_time()
    ksp.setUp()
    cpu = time.process_time() - cpu
    solution = rhs.duplicate()
    start = time.perf_counter()
    ksp.solve(rhs, solution)
    solve_seconds = time.perf_counter() - start
    residual = rhs.duplicate()
    matrix.mult(solution, residual)
    residual.axpy(-1, rhs)
    seconds = lambda event: PETSc.Log.Event(event).getPerfInfo()["time"]
    infog = ksp.getPC().getFactorMatrix().getMumpsInfog
    print(json.dumps({
        "unknowns": matrix.size[0], "analysis": seconds("MatCholFctrSym"), "factor": seconds("MatCholFctrNum"),
        "cpu": cpu, "factor_entries": (infog(29) if infog(29) >= 0 else -1e6 * infog(29)) / 1e6,
        "solve": solve_seconds, "residual": residual.norm() / rhs.norm(),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2 ** 20, "ordering": infog(7)}))


def first_file(package, ending):
    listing = subprocess.run(["dpkg", "-L", package], capture_output=True, text=True).stdout.split()
    return next((name for name in listing if name.endswith(ending)), None)


def environment(threads):
    """BLAS threads for both, the processor's own core type, and PETSc's complex build for DOLFINx."""
    env = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
    env.update(OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
    module = first_file("python3-dolfinx-complex", "dolfinx/__init__.py")
    if module is None:
        sys.exit("peer_solve.py: DOLFINx is missing: apt-get install python3-dolfinx-complex")
    env["PETSC_DIR"] = module[:module.index("/lib/python3/")]
    return env


def run_peer(order, env):
    done = subprocess.run(["/usr/bin/python3", os.path.abspath(__file__), "--peer", str(order)], env=env,
                          capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        sys.exit(f"peer_solve.py: DOLFINx failed:\n{done.stderr[-2000:]}")
    return json.loads(lines[-1])


def run_ours(bench, order, threads, env):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "direct.json")
        subprocess.run([bench, "direct", "--case", f"p{order}", "--repeat", "1", "--threads", str(threads),
                        "--device", "cpu", "--json", file], env=env, check=True, stdout=subprocess.DEVNULL)
        table = json.load(open(file))["tables"][0]
    row = dict(zip(table["columns"], table["rows"][0]))
    return {"unknowns": row["unknowns"], "analysis": row["analysis s"], "factor": row["factor s"],
            "cpu": row["analysis + factor CPU s"], "factor_entries": row["L, million"], "solve": row["solve s"],
            "residual": row["residual"], "peak": row["peak GiB"], "ordering": row["order, ordering"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default="build/release/bin/em-bench")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--orders", default="1,2,3")
    parser.add_argument("--rounds", type=int, default=1, help="alternating runs; the smallest times are printed")
    parser.add_argument("--json")
    parser.add_argument("--peer", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        return peer(args.peer)
    env = environment(args.threads)
    results = {}
    print(f"{'':22}{'unknowns':>10}{'analysis s':>12}{'factor s':>10}{'CPU s':>8}{'L, million':>12}{'peak GiB':>10}"
          f"{'residual':>10}")
    for order in map(int, args.orders.split(",")):
        best = {}
        for _ in range(args.rounds):
            for name, run in (("curlew", lambda: run_ours(args.bench, order, args.threads, env)),
                              ("DOLFINx", lambda: run_peer(order, env))):
                new = run()
                old = best.setdefault(name, new)
                best[name] = {k: min(v, old[k]) if isinstance(v, float) else v for k, v in new.items()}
        for name, r in best.items():
            print(f"p = {order}  {name:15}{r['unknowns']:10}{r['analysis']:12.2f}{r['factor']:10.2f}{r['cpu']:8.2f}"
                  f"{r['factor_entries']:12.1f}{r['peak']:10.2f}{r['residual']:10.1e}")
        ratio = {k: best["curlew"][k] / best["DOLFINx"][k] for k in ("analysis", "factor", "cpu", "factor_entries", "peak")}
        print(f"p = {order}  {'ratio':15}{'':10}{ratio['analysis']:12.2f}{ratio['factor']:10.2f}{ratio['cpu']:8.2f}"
              f"{ratio['factor_entries']:12.2f}{ratio['peak']:10.2f}", flush=True)
        results[f"p{order}"] = {**best, "ratio": ratio}
    print(f"{args.threads} threads; factor: numerical factorisation alone; CPU: analysis and factorisation, all threads")
    if args.json:
        json.dump(results, open(args.json, "w"), indent=2)


if __name__ == "__main__":
    main()
