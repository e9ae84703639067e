// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/scalar_assembly.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "fem/geometry.hpp"
#include "fem/lagrange/scalar_fields.hpp"
#include "fem/point_location.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "test_boxes.hpp"

namespace curlew::fem {
namespace {

ScalarCoefficients constant(Complex diffusion, Complex reaction) {
  return {{diffusion}, {reaction}, {}};
}

std::vector<double> nodal_values(const LagrangeSpace& space, const Scalar& u) {
  std::vector<double> x;
  for (const auto& p : node_positions(space)) x.push_back(u(p));
  return x;
}

double bilinear(const linalg::Csr<double>& a, const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> ay(y.size());
  linalg::multiply(a, y.data(), ay.data());
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * ay[i];
  return sum;
}

/// Orientation: every cell around a node puts it at the same place.
TEST(LagrangeSpace, CellsAgreeOnTheirCommonNodes) {
  for (const int geometry : {1, 2})
    for (int order = 1; order <= 3; ++order) {
      const auto mesh = skewed_box({2, 3, 2}, geometry);
      const auto topology = mesh::build_topology(mesh);
      const auto space = make_lagrange_space(mesh, topology, order, mesh.surfaces[0].entities);
      const auto positions = node_positions(space);
      const auto reference = reference_positions(order);
      std::vector<Index> nodes(reference.size());
      for (Index c = 0; c < mesh.num_cells(); ++c) {
        space.cell_nodes(c, nodes.data());
        for (std::size_t a = 0; a < nodes.size(); ++a) {
          const auto here = map_point(cell_geometry(mesh, c), reference[a]);
          EXPECT_LT(norm(here - positions[std::size_t(nodes[a])]), 1e-14) << order;
        }
      }
    }
}

TEST(LagrangeSpace, CountsNodesAndPutsFixedOnesLast) {
  const auto mesh = skewed_box({2, 2, 2});
  const auto topology = mesh::build_topology(mesh);
  for (int order = 1; order <= 3; ++order) {
    const auto space = make_lagrange_space(mesh, topology, order, mesh.surfaces[0].entities);
    const int side = 2 * order + 1;  // equally spaced nodes of a 2 x 2 x 2 box fill a grid
    EXPECT_EQ(space.num_nodes, side * side * side);
    EXPECT_EQ(space.num_fixed(), side * side);
    const auto on = nodes_on(space, mesh.surfaces[0].entities);
    ASSERT_EQ(Index(on.size()), space.num_fixed());
    EXPECT_EQ(on.front(), space.num_free);
  }
}

/// int grad u . grad v and int u v of polynomials, against the exact integral over the sheared box: the
/// harmonic u of degree p with v = 1 (mass) and with v = x (stiffness: u's derivative along x).
TEST(ScalarAssembly, IntegratesPolynomialsExactly) {
  for (const int geometry : {1, 2})
    for (int order = 1; order <= 3; ++order) {
      const auto mesh = skewed_box({2, 1, 3}, geometry);
      const auto topology = mesh::build_topology(mesh);
      const auto space = make_lagrange_space(mesh, topology, order);
      const ScalarAssembler assembler(space);
      auto k = assembler.create_matrix<double>(), m = k;
      assembler.assemble<double>(constant(2.0, 1.0), 1, 0, k.values.data());
      assembler.assemble<double>(constant(1.0, 3.0), 0, 1, m.values.data());
      const auto one = nodal_values(space, [](Vec3<double>) { return 1.0; });
      const auto x = nodal_values(space, [](Vec3<double> p) { return p.x; });
      const auto y = nodal_values(space, [](Vec3<double> p) { return p.y; });
      EXPECT_NEAR(bilinear(m, one, one), 3 * skewed_volume, 1e-12);
      // u = x on the sheared box: mean 0.1 + (1 + 0.3 - 0.2) / 2 = 0.65; y: mean 0.65;
      // covariance (0.3 * 0.9 - 0.2 * 0.4) / 12
      EXPECT_NEAR(bilinear(m, one, x), 3 * skewed_volume * 0.65, 1e-12);
      EXPECT_NEAR(bilinear(m, x, y), 3 * skewed_volume * (0.65 * 0.65 + (0.27 - 0.08) / 12), 1e-12);
      EXPECT_NEAR(bilinear(k, x, x), 2 * skewed_volume, 1e-12);
      EXPECT_NEAR(bilinear(k, x, y), 0, 1e-12);
      if (order == 1) continue;  // u = x y: grad u . grad x = y
      const auto xy = nodal_values(space, [](Vec3<double> p) { return p.x * p.y; });
      EXPECT_NEAR(bilinear(k, xy, x), 2 * skewed_volume * 0.65, 1e-12);
      EXPECT_NEAR(bilinear(m, xy, one), bilinear(m, x, y), 1e-12);
    }
}

/// Order p reproduces harmonic polynomials of degree p from their boundary values to rounding.
TEST(ScalarAssembly, ReproducesHarmonicPolynomials) {
  for (const int geometry : {1, 2})
    for (int order = 1; order <= 3; ++order) {
      const auto mesh = skewed_box({3, 2, 2}, geometry);
      const auto topology = mesh::build_topology(mesh);
      const auto space = make_lagrange_space(mesh, topology, order, mesh.surfaces[6].entities);  // "walls"
      const ScalarAssembler assembler(space);
      auto k = assembler.create_matrix<double>();
      assembler.assemble<double>(constant(1.0, 1.0), 1, 0, k.values.data());
      const Index nf = space.num_free, n = space.num_nodes;
      const auto exact = nodal_values(space, [&](Vec3<double> p) { return harmonic(order, p); });
      const auto kff = linalg::block(k, 0, nf, 0, nf), kfc = linalg::block(k, 0, nf, nf, n);

      std::vector<double> x(std::size_t(nf), 0.0);
      linalg::multiply(kfc, exact.data() + nf, x.data());
      for (double& value : x) value = -value;
      const auto solver = linalg::make_direct_solver<double>({});
      solver->analyse(kff);
      solver->factor(kff);
      solver->solve(x.data());

      for (Index i = 0; i < nf; ++i) EXPECT_NEAR(x[std::size_t(i)], exact[std::size_t(i)], 1e-11) << order;
    }
}

TEST(ScalarAssembly, DoesNotDependOnTheNumberOfThreads) {
  const auto mesh = skewed_box({4, 3, 3});
  const auto topology = mesh::build_topology(mesh);
  const int before = num_threads();
  for (int order = 1; order <= 3; ++order) {
    const auto space = make_lagrange_space(mesh, topology, order);
    const ScalarAssembler assembler(space);
    auto a = assembler.create_matrix<Complex>();
    auto b = a;
    const ScalarCoefficients c = constant({0.8, 0.1}, {0.3, -0.2});
    set_num_threads(1);
    assembler.assemble<Complex>(c, 1.0, Complex(-2, 1), a.values.data());
    set_num_threads(3);
    assembler.assemble<Complex>(c, 1.0, Complex(-2, 1), b.values.data());
    EXPECT_EQ(a.values, b.values) << order;
  }
  set_num_threads(before);
}

TEST(ScalarAssembly, TakesCoefficientsByCell) {
  const auto mesh = skewed_box({2, 2, 2});
  const auto topology = mesh::build_topology(mesh);
  const auto space = make_lagrange_space(mesh, topology, 2);
  ScalarCoefficients c{{1.0, 1.0}, {2.0, 7.0}, std::vector<Index>(std::size_t(mesh.num_cells()), 0)};
  for (Index i = 0; i < mesh.num_cells(); i += 4)
    c.cell_material[std::size_t(i)] = 1;  // cells are congruent in volume
  const ScalarAssembler assembler(space);
  auto m = assembler.create_matrix<double>();
  assembler.assemble<double>(c, 0, 1, m.values.data());
  const std::vector<double> one(std::size_t(space.num_nodes), 1.0);
  EXPECT_NEAR(bilinear(m, one, one), skewed_volume * (0.75 * 2 + 0.25 * 7), 1e-12);
}

TEST(ScalarAssembly, RefusesWhatItCannotDo) {
  auto mesh = skewed_box({1, 1, 1});
  const auto topology = mesh::build_topology(mesh);
  EXPECT_THROW(make_lagrange_space(mesh, topology, 0), InputError);
  EXPECT_THROW(make_lagrange_space(mesh, topology, 4), InputError);
  const auto space = make_lagrange_space(mesh, topology, 1);
  const ScalarAssembler assembler(space);
  auto m = assembler.create_matrix<double>();
  EXPECT_THROW(assembler.assemble<double>(constant({1, 1}, 1.0), 1, 1, m.values.data()), InputError);
  for (auto& node : mesh.nodes) node.z = 0;
  EXPECT_THROW(ScalarAssembler{space}, InputError);
}

TEST(ScalarFields, EvaluateReproducesPolynomialsAndTheirGradients) {
  for (const int geometry : {1, 2})
    for (int order = 1; order <= 3; ++order) {
      const auto mesh = skewed_box({2, 2, 1}, geometry);
      const auto topology = mesh::build_topology(mesh);
      const auto space = make_lagrange_space(mesh, topology, order);
      std::vector<Complex> x;
      for (const auto& p : node_positions(space)) x.push_back(harmonic(order, p));
      const Vec3<double> point = skew({0.31, 0.77, 0.42});
      const auto places = locate_point(mesh, point);
      ASSERT_FALSE(places.empty());
      const ScalarEvaluator evaluator(space, {places.front().xi});
      Complex value;
      Vec3<Complex> gradient;
      evaluator.evaluate(places.front().cell, x.data(), &value, &gradient);
      EXPECT_NEAR(value.real(), harmonic(order, point), 1e-13);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(gradient[i].real(), harmonic_gradient(order, point)[i], 1e-12);
    }
}

}  // namespace
}  // namespace curlew::fem
