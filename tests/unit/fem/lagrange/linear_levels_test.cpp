// SPDX-License-Identifier: BSD-3-Clause
// The two levels of a space against a space of order 1 and against the nodal system.

#include "fem/lagrange/linear_levels.hpp"

#include <gtest/gtest.h>

#include "fem/lagrange/scalar_assembly.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "test_boxes.hpp"

namespace curlew::fem {
namespace {

struct Case {
  mesh::Mesh mesh;
  mesh::Topology topology;
  explicit Case(int geometry) : mesh(skewed_box({2, 2, 2}, geometry)), topology(mesh::build_topology(mesh)) {}
  LagrangeSpace space(int order) const {
    return make_lagrange_space(mesh, topology, order, mesh.surfaces[0].entities);
  }
};

linalg::Csr<Complex> free_matrix(const LagrangeSpace& space) {
  const ScalarAssembler assembler(space);
  auto a = assembler.create_matrix<Complex>();
  assembler.assemble<Complex>({{Complex(2, 0.1)}, {Complex(0.7, -0.2)}, {}}, 1.0, -1.7, a.values.data());
  return linalg::block(a, 0, space.num_free, 0, space.num_free);
}

TEST(LinearLevels, FirstBlockIsTheMatrixOfOrderOne) {
  for (const int geometry : {1, 2})
    for (const int order : {2, 3}) {
      const Case c(geometry);
      const auto space = c.space(order);
      const auto linear = free_matrix(c.space(1));
      auto a = free_matrix(space);
      const LinearLevels levels(space);
      levels.transform(a);
      const Index n = levels.offsets()[1];
      ASSERT_EQ(n, linear.num_rows);
      const auto block = linalg::block(a, 0, n, 0, n);
      for (Index row = 0; row < n; ++row) {
        std::vector<Complex> dense(static_cast<std::size_t>(n));
        for (auto k = block.row_offsets[std::size_t(row)]; k < block.row_offsets[std::size_t(row) + 1]; ++k)
          dense[std::size_t(block.columns[std::size_t(k)])] = block.values[std::size_t(k)];
        for (auto k = linear.row_offsets[std::size_t(row)]; k < linear.row_offsets[std::size_t(row) + 1]; ++k)
          dense[std::size_t(linear.columns[std::size_t(k)])] -= linear.values[std::size_t(k)];
        for (const Complex difference : dense) EXPECT_LT(std::abs(difference), 1e-12);
      }
    }
}

TEST(LinearLevels, LinearFunctionsNeedTheVerticesOnly) {
  const Case c(1);
  const auto linear = [](Vec3<double> p) { return Complex(p.x - 2 * p.y, 3 * p.z); };
  for (const int order : {2, 3}) {
    const auto space = make_lagrange_space(c.mesh, c.topology, order);
    const auto positions = node_positions(space);
    const LinearLevels levels(space);
    std::vector<Complex> x(positions.size());
    for (Index i = 0; i < levels.offsets()[1]; ++i) x[std::size_t(i)] = linear(positions[std::size_t(i)]);
    levels.prolong_to_nodes(x);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT(std::abs(x[i] - linear(positions[i])), 1e-14);
  }
}

TEST(LinearLevels, SolutionIsThatOfTheNodes) {
  for (const int order : {2, 3}) {
    const Case c(1);
    const auto space = c.space(order);
    const LinearLevels levels(space);
    const auto nodal = free_matrix(space);
    auto a = nodal;
    levels.transform(a);
    std::vector<Complex> b(2 * std::size_t(space.num_free));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = Complex(std::cos(double(i)), std::sin(double(i * i)));
    auto x = b;
    levels.restrict_to_levels(x);
    const auto solver = linalg::make_direct_solver<Complex>({});
    solver->analyse(a);
    solver->factor(a);
    solver->solve(x.data(), 2);
    levels.prolong_to_nodes(x);
    EXPECT_LT(linalg::relative_residual(nodal, x.data(), b.data(), 2), 1e-11);
  }
}

}  // namespace
}  // namespace curlew::fem
