// SPDX-License-Identifier: BSD-3-Clause
// The p-multilevel preconditioner on waveguides of orders 2 and 3: at most 60 iterations to 1e-8, and at most
// half as many again when the mesh is halved at the same resolution per wavelength.

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"
#include "fem/assembly.hpp"
#include "fem/boundary_terms.hpp"
#include "linalg/krylov/iterative_solver.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

using linalg::KrylovMethod;

/// A guide of 1 x 0.75 x 0.5 m between metal walls with an absorbing TE10 face, driven through it.
struct Guide {
  mesh::Mesh mesh;
  mesh::Topology topology;
  NedelecSpace space;
  linalg::Csr<Complex> a;
  std::vector<Complex> b;

  Guide(int order, std::array<int, 3> blocks, double k)
      : mesh(mesh::make_box({.lo = {0, 0, 0}, .hi = {1, 0.75, 0.5}, .blocks = blocks, .shuffle_seed = 5})),
        topology(mesh::build_topology(mesh)) {
    std::vector<Index> metal;
    for (const char* wall : {"x0", "y0", "y1", "z0", "z1"}) {
      const auto& triangles = surface_triangles(mesh, wall);
      metal.insert(metal.end(), triangles.begin(), triangles.end());
    }
    space = make_space(mesh, topology, order, metal);
    const Assembler assembler(space);
    a = assembler.create_matrix<Complex>();
    assembler.assemble(CellMaterials{{Material{}}, {}}, Complex(1), Complex(-k * k), a.values.data());
    const Complex j_beta(0, std::sqrt(k * k - std::pow(pi / 0.75, 2)));
    const auto& port = surface_triangles(mesh, "x1");
    add_tangential_mass(space, port, j_beta, a);
    b.assign(std::size_t(a.num_rows), 0);
    add_surface_load(
        space, port,
        [&](Vec3<double> r, Vec3<double>) {
          return Vec3<Complex>{0, 0, 2.0 * j_beta * std::sin(pi * r.y / 0.75)};
        },
        2 * order + 2, b.data());
  }

  int iterations(KrylovMethod method, int coarse_order) const {
    linalg::IterativeOptions o;
    o.krylov.method = method, o.krylov.tolerance = 1e-8, o.krylov.restart = 100,
    o.coarse_order = coarse_order;
    linalg::IterativeSolver solver(o, {space.block_offsets.begin(), space.block_offsets.end()});
    solver.prepare(a);
    std::vector<Complex> x(b.size());
    const int count = solver.solve(b.data(), x.data()).iterations;
    EXPECT_LE(linalg::relative_residual(a, x.data(), b.data()), 1.1e-8);
    return count;
  }
};

TEST(MultilevelOnWaveguides, OrderTwoStaysBelowSixtyAndHardlyGrows) {
  const Guide wide(2, {6, 4, 3}, 5), fine(2, {12, 8, 6}, 10);
  for (const auto method : {KrylovMethod::gmres, KrylovMethod::cocr}) {
    const int few = wide.iterations(method, 1), many = fine.iterations(method, 1);
    EXPECT_LE(many, 60) << name_of(method);
    EXPECT_LE(many, 1.5 * few) << name_of(method);
  }
}

/// Half a wavelength a cell: the lowest order alone does not see the wave there and would need 37 and 59
/// iterations, which is why orders 1 and 2 are factorised together by default.
TEST(MultilevelOnWaveguides, OrderThreeStaysBelowSixtyAndHardlyGrows) {
  const Guide wide(3, {3, 2, 2}, 6), fine(3, {6, 4, 4}, 12);
  const int few = wide.iterations(KrylovMethod::gmres, 0), many = fine.iterations(KrylovMethod::gmres, 0);
  EXPECT_LE(many, 60);
  EXPECT_LE(many, 1.5 * few);
}

}  // namespace
}  // namespace curlew::fem
