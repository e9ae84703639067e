// SPDX-License-Identifier: BSD-3-Clause
// Fields and S that are sums of poles, in closed form.
#include "fem/driven/rational_sweep.hpp"

#include <gtest/gtest.h>

#include <array>

#include "base/types.hpp"

namespace curlew::fem {
namespace {

const std::array<Complex, 3> poles{Complex(1.1e9, 2e6), Complex(1.4e9, 9e7), Complex(1.9e9, 5e8)};

/// Two ports; each pole has a separate field.
DrivenSolution solution_at(double f) {
  constexpr int n = 40;
  DrivenSolution solution;
  solution.frequency = f;
  solution.scattering.s = Eigen::MatrixXcd::Zero(2, 2);
  solution.x.assign(std::size_t(2 * n), 0.0);
  for (std::size_t p = 0; p < poles.size(); ++p) {
    const Complex pole = 1e8 / (f - poles[p]);
    Eigen::Matrix2cd residue;
    residue << 1.0, Complex(0.3, double(p)), Complex(0.3, double(p)), -2.0;
    solution.scattering.s += pole * residue;
    for (int i = 0; i < 2 * n; ++i)
      solution.x[std::size_t(i)] += pole * std::sin(1.0 + double(i) * (1 + double(p)));
  }
  return solution;
}

TEST(RationalModel, IsExactWithOneSolutionMoreThanPoles) {
  RationalModel model;
  for (const double f : {1e9, 2e9, 1.3e9}) model.add(solution_at(f));
  const double between = (model.at(1.12e9, {}).s - solution_at(1.12e9).scattering.s).norm();
  EXPECT_GT(between, 1e-3);  // three solutions: one pole is missed
  model.add(solution_at(1.6e9));
  for (const double f : {0.9e9, 1.1e9, 1.12e9, 1.45e9, 1.99e9})
    EXPECT_LT((model.at(f, {}).s - solution_at(f).scattering.s).norm(),
              1e-9 * solution_at(f).scattering.s.norm())
        << f;
}

TEST(RationalModel, IndicatorIsLargestAtThePoleAndZeroWhereSolved) {
  RationalModel model;
  for (const double f : {1e9, 2e9, 1.3e9, 1.6e9}) model.add(solution_at(f));
  const double at_pole = model.at(1.1e9, {}).indicator;
  EXPECT_GT(at_pole, 5 * model.at(1.05e9, {}).indicator);
  EXPECT_GT(at_pole, 5 * model.at(1.8e9, {}).indicator);
  EXPECT_EQ(model.at(1.3e9, {}).indicator, 0);
  EXPECT_LT((model.at(1.3e9, {}).s - solution_at(1.3e9).scattering.s).norm(), 1e-14);
}

}  // namespace
}  // namespace curlew::fem
