// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/scalar_boundary.hpp"

#include <gtest/gtest.h>

#include "base/constants.hpp"
#include "fem/lagrange/scalar_assembly.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "test_boxes.hpp"

namespace curlew::fem {
namespace {

TEST(ScalarBoundary, MassLoadAndIntegralsAgree) {
  for (const int geometry : {1, 2})
    for (int order = 1; order <= 3; ++order) {
      const auto mesh = skewed_box({2, 3, 2}, geometry);
      const auto topology = mesh::build_topology(mesh);
      const auto space = make_lagrange_space(mesh, topology, order);
      const auto& triangles = mesh.surfaces[1].entities;  // "x1": spanned by the images of e_y and e_z
      const double area = norm(cross(Vec3<double>{0.3, 0.9, 0}, Vec3<double>{-0.2, 0.4, 1.1}));
      std::vector<Complex> u;
      for (const auto& p : node_positions(space)) u.push_back(Complex(1 + p.y, -p.z));
      const std::vector<Complex> two(triangles.size(), 2.0);

      auto a = ScalarAssembler(space).create_matrix<Complex>();
      add_boundary_mass<Complex>(space, triangles, two, a);
      std::vector<Complex> load(u.size()), au(u.size());
      add_boundary_load(space, triangles, two, load.data());
      linalg::multiply(a, u.data(), au.data());
      const auto integrals = integrate_on_surface(space, triangles, two, u.data());

      Complex total = 0, square = 0, by_load = 0;
      for (std::size_t i = 0; i < u.size(); ++i) {
        total += au[i];
        square += std::conj(u[i]) * au[i];
        by_load += load[i] * u[i];
      }
      // means on the face: y = (0.9 + 0.4) / 2, z = 0.15 + 1.1 / 2
      EXPECT_LT(std::abs(integrals.integral - area * Complex(1.65, -0.7)), 1e-12);
      EXPECT_NEAR(integrals.area, area, 1e-12);
      EXPECT_LT(std::abs(total - 2.0 * integrals.integral), 1e-12);
      EXPECT_LT(std::abs(by_load - 2.0 * integrals.integral), 1e-12);
      EXPECT_LT(std::abs(square - integrals.weighted_square), 1e-12);
    }
}

/// Robin conditions all around: d u/dn + u = g with g of a harmonic polynomial gives the polynomial back.
TEST(ScalarBoundary, RobinProblemReproducesLinearFunctions) {
  const auto mesh = skewed_box({2, 2, 2});
  const auto topology = mesh::build_topology(mesh);
  for (int order = 1; order <= 3; ++order) {
    const auto space = make_lagrange_space(mesh, topology, order);
    const ScalarAssembler assembler(space);
    auto a = assembler.create_matrix<Complex>();
    assembler.assemble<Complex>({{1.0}, {1.0}, {}}, 1.0, 0.0, a.values.data());
    const auto& walls = mesh.surfaces[6].entities;
    add_boundary_mass<Complex>(space, walls, std::vector<Complex>(walls.size(), 1.0), a);
    std::vector<Complex> x(std::size_t(space.num_nodes));
    // u = 2 + z: du/dn = n_z by side, so the load is int (n_z + 2 + z) phi
    const Vec3<double> e[3] = {skew({1, 0, 0}) - skew({0, 0, 0}), skew({0, 1, 0}) - skew({0, 0, 0}),
                               skew({0, 0, 1}) - skew({0, 0, 0})};
    auto u_mass = assembler.create_matrix<Complex>();
    add_boundary_mass<Complex>(space, walls, std::vector<Complex>(walls.size(), 1.0), u_mass);
    std::vector<Complex> exact;
    for (const auto& p : node_positions(space)) exact.push_back(2 + p.z);
    linalg::multiply(u_mass, exact.data(), x.data());
    for (int side = 0; side < 6; ++side) {
      const int d = side / 2;
      Vec3<double> n = normalized(cross(e[(d + 1) % 3], e[(d + 2) % 3]));
      if (dot(n, e[d]) * (side % 2 == 0 ? -1 : 1) < 0) n = -n;
      const auto& triangles = mesh.surfaces[std::size_t(side)].entities;
      add_boundary_load(space, triangles, std::vector<Complex>(triangles.size(), n.z), x.data());
    }
    const auto solver = linalg::make_direct_solver<Complex>({});
    solver->analyse(a);
    solver->factor(a);
    solver->solve(x.data());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT(std::abs(x[i] - exact[i]), 1e-11);
  }
}

/// A quadratic face on a sphere: its area converges like h^4 to the exact one.
TEST(ScalarBoundary, MeasuresCurvedTriangles) {
  const auto error = [](int n) {
    auto mesh = mesh::make_box({.lo = {1, -0.5, -0.5},
                                .hi = {2, 0.5, 0.5},
                                .blocks = {1, n, n},
                                .geometry_order = 2,
                                .shuffle_seed = 3});
    for (auto& p : mesh.nodes)
      p = p.x * normalized(Vec3<double>{1, p.y, p.z});  // plane x = 1 to the unit sphere
    const auto topology = mesh::build_topology(mesh);
    const auto space = make_lagrange_space(mesh, topology, 1);
    const std::vector<Complex> x(std::size_t(space.num_nodes), 1.0);
    const double area = integrate_on_surface(space, mesh.surfaces[0].entities, {}, x.data()).area;
    return std::abs(area - 4 * std::asin(0.2));  // the solid angle of a square of side 1 at distance 1
  };
  EXPECT_GT(std::log2(error(2) / error(4)), 3.7);
}

}  // namespace
}  // namespace curlew::fem
