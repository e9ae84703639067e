// SPDX-License-Identifier: BSD-3-Clause
// The cells of a matrix against the matrix, and a face cut through the mesh against a wave that leaves there.

#include "fem/lagrange/scalar_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fem/lagrange/scalar_boundary.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "mesh/box.hpp"
#include "test_boxes.hpp"

namespace curlew::fem {
namespace {

void add(const linalg::DenseTerm& term, linalg::Coo<Complex>& sum) {
  const std::size_t n = term.rows.size();
  ASSERT_EQ(term.entries.size(), n * n);
  for (std::size_t i = 0; i < n * n; ++i)
    if (term.rows[i / n] >= 0 && term.rows[i % n] >= 0)
      sum.add(term.rows[i / n], term.rows[i % n], term.entries[i]);
}

TEST(ScalarCells, SumUpToTheMatrixOfTheFreeNodes) {
  for (const int geometry : {1, 2})
    for (int order = 1; order <= 3; ++order) {
      const auto mesh = skewed_box({2, 2, 1}, geometry);
      const auto topology = mesh::build_topology(mesh);
      const auto space = make_lagrange_space(mesh, topology, order, mesh.surfaces[0].entities);
      const ScalarCoefficients coefficients{{Complex(2, 0.1)}, {Complex(0.7, -0.2)}, {}};
      const double omega = 1.3;
      auto a = ScalarAssembler(space).create_matrix<Complex>();
      ScalarAssembler(space).assemble<Complex>(coefficients, 1.0, -omega * omega, a.values.data());
      const ScalarCells cells(space, coefficients, omega);
      linalg::Coo<Complex> sum;
      sum.num_rows = sum.num_cols = space.num_free;
      for (Index c = 0; c < cells.num_cells(); ++c) add(cells.matrix_of(c), sum);

      const auto free = linalg::block(a, 0, space.num_free, 0, space.num_free);
      const auto summed = linalg::to_csr(sum);

      ASSERT_EQ(summed.columns, free.columns);
      for (std::size_t i = 0; i < free.values.size(); ++i)
        EXPECT_LT(std::abs(summed.values[i] - free.values[i]), 1e-12);
    }
}

/// A duct of length 1, cut in the middle: waves leave through the cut as if the duct continued. The piston at
/// its left end then makes p = (rho c) v exp(-jkx), whatever medium of that impedance and wave number lies
/// beyond.
TEST(ScalarCells, APlaneWaveLeavesThroughACut) {
  const auto mesh = mesh::make_box({.hi = {1, 0.2, 0.2}, .blocks = {10, 2, 2}});
  const auto topology = mesh::build_topology(mesh);
  const double density = 1.3, speed = 2, omega = 9;  // 0.7 wavelengths to the cut
  const ScalarCoefficients coefficients{{1 / density}, {1 / (density * speed * speed)}, {}};
  for (const int order : {2, 3}) {
    const auto space = make_lagrange_space(mesh, topology, order);
    const auto positions = node_positions(space);
    const ScalarCells cells(space, coefficients, omega);
    std::vector<char> is_left;
    std::vector<Index> rows;
    linalg::Coo<Complex> sum;
    sum.num_rows = sum.num_cols = space.num_nodes;
    for (Index c = 0; c < cells.num_cells(); ++c) {
      cells.rows_of(c, rows);
      is_left.push_back(
          std::ranges::all_of(rows, [&](Index i) { return positions[std::size_t(i)].x < 0.51; }));
      if (is_left.back()) add(cells.matrix_of(c), sum);
    }
    for (Index f = 0; f < cells.num_faces(); ++f) {
      const auto [one, other] = cells.cells_beside(f);
      if (other < 0 || is_left[std::size_t(one)] == is_left[std::size_t(other)]) continue;
      add(cells.impedance_of(f, is_left[std::size_t(one)] != 0 ? other : one), sum);
    }
    for (Index i = 0; i < space.num_nodes; ++i)
      if (positions[std::size_t(i)].x > 0.51) sum.add(i, i, 1.0);
    std::vector<Complex> p(std::size_t(space.num_nodes));
    const auto& piston = mesh.surfaces[0].entities;  // -d p' = jw v into the duct
    add_boundary_load(space, piston, std::vector<Complex>(piston.size(), Complex(0, omega)), p.data());
    const auto a = linalg::to_csr(sum);
    const auto solver = linalg::make_direct_solver<Complex>({});
    solver->analyse(a);
    solver->factor(a);
    solver->solve(p.data());

    double largest = 0;
    for (Index i = 0; i < space.num_nodes; ++i) {
      const double x = positions[std::size_t(i)].x;
      if (x < 0.51)
        largest = std::max(
            largest, std::abs(p[std::size_t(i)] - density * speed * std::polar(1.0, -omega / speed * x)));
    }
    EXPECT_LT(largest, density * speed * (order == 2 ? 2e-3 : 1e-4));
  }
}

}  // namespace
}  // namespace curlew::fem
