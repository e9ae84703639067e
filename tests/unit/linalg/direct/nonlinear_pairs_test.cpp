// SPDX-License-Identifier: BSD-3-Clause
// A string of 40 masses between a wall and a damper: eigenvalues that are corrected together against the
// singular values of the matrix there, by Eigen.

#include "linalg/direct/nonlinear_pairs.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {
namespace {

constexpr Index masses = 40;

/// Stiffness minus λ mass, and at the last mass the term `end`.
Csr<Complex> string(Complex square, const std::function<Complex(Complex)>& end) {
  Coo<Complex> t{masses, masses, {}, {}, {}};
  for (Index i = 0; i < masses; ++i) {
    t.add(i, i,
          double(masses) * masses * (i + 1 < masses ? 2.0 : 1.0) - square * (i + 1 < masses ? 1.0 : 0.5));
    if (i + 1 < masses) t.add(i, i + 1, -double(masses) * masses), t.add(i + 1, i, -double(masses) * masses);
  }
  t.add(masses - 1, masses - 1, end(square));
  return to_csr(t);
}

double smallest_singular_value(const Csr<Complex>& a) {
  Eigen::MatrixXcd dense = Eigen::MatrixXcd::Zero(masses, masses);
  for (Index row = 0; row < masses; ++row)
    for (auto k = a.row_offsets[std::size_t(row)]; k < a.row_offsets[std::size_t(row) + 1]; ++k)
      dense(row, a.columns[std::size_t(k)]) = a.values[std::size_t(k)];
  return dense.jacobiSvd().singularValues()[masses - 1];
}

constexpr int first = 2;

/// Modes of the string with a free end from the third on, λ = ((i + 1/2) π)² in the limit.
NonlinearPairs free_string(int count) {
  NonlinearPairs start;
  for (int i = first; i < first + count; ++i) {
    const double k = (i + 0.5) * std::numbers::pi;
    start.values.push_back(k * k);
    start.residuals.push_back(1);
    for (Index x = 0; x < masses; ++x)
      start.vectors.push_back(std::sin(k * (x + 1) / masses) / std::sqrt(masses / 2.0));
  }
  return start;
}

NonlinearPairs corrected(const std::function<Csr<Complex>(Complex)>& at, int count,
                         const std::function<SplitMatrix(const std::vector<double>&)>& split = {}) {
  const auto start = free_string(count);
  const auto solver = make_direct_solver<Complex>({.symmetry = Symmetry::symmetric});
  const auto middle = at(Complex(1, 1e-3) * (start.values.front() + start.values.back()) / 2.0);
  solver->analyse(middle);
  solver->factor(middle);
  return correct_together({at, split}, start, 1e-10,
                          [&](const auto& values, Complex* x) { solver->solve(x, Index(values.size())); });
}

TEST(NonlinearPairs, ADamperOfARootOfTheEigenvalue) {
  const auto damper = [](Complex square) { return Complex(0, 0.3 * masses) * std::sqrt(square); };
  const auto at = [&](Complex square) { return string(square, damper); };
  const auto pairs = corrected(at, 4);
  ASSERT_EQ(pairs.values.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LT(pairs.residuals[i], 1e-10) << i;
    EXPECT_LT(smallest_singular_value(at(pairs.values[i])), 1e-8) << i;  // of entries of size 3200
    // A damper z sqrt(λ) at the end: tan k = j / z, k = (i + 1/2) π + j atanh(z), up to the masses.
    const Complex k((first + double(i) + 0.5) * std::numbers::pi, std::atanh(0.3));
    EXPECT_LT(std::abs(std::sqrt(pairs.values[i]) - k), 2e-2 * std::abs(k)) << i;
  }
}

TEST(NonlinearPairs, TermsAreAsGoodAsSamples) {
  const auto damper = [](Complex square) { return Complex(0, 0.3 * masses) * std::sqrt(square); };
  const auto at = [&](Complex square) { return string(square, damper); };
  const auto split = [&](const std::vector<double>& points) {
    const Csr<Complex> stiffness = string(0, [](Complex) { return Complex(0); });
    SplitMatrix parts{
        {stiffness, add<Complex>(1, stiffness, -1, string(1, [](Complex) { return Complex(0); })),
         to_csr(Coo<Complex>{masses, masses, {masses - 1}, {masses - 1}, {Complex(1)}})},
        std::vector<std::vector<Complex>>(3)};
    for (const double p : points) {
      parts.factors[0].emplace_back(1), parts.factors[1].emplace_back(-p);
      parts.factors[2].push_back(damper(p));
    }
    return parts;
  };
  const auto pairs = corrected(at, 4, split), others = corrected(at, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LT(pairs.residuals[i], 1e-10) << i;
    EXPECT_LT(std::abs(pairs.values[i] - others.values[i]), 1e-10 * std::abs(others.values[i])) << i;
  }
}

TEST(NonlinearPairs, APoleBetweenTheSamplesIsNotHidden) {
  const auto resonator = [](Complex square) { return 1e3 / (square - 90.0); };
  const auto pairs = corrected([&](Complex square) { return string(square, resonator); }, 3);
  EXPECT_GT(*std::ranges::max_element(pairs.residuals), 1e-6);
}

}  // namespace
}  // namespace curlew::linalg
