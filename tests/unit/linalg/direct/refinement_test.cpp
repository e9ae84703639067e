// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/refinement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"

namespace curlew::linalg {
namespace {

/// Second differences with both ends held: ||A|| ||x|| / ||b|| grows with the square of n.
Csr<double> second_differences(Index n) {
  Coo<double> coo{n, n, {}, {}, {}};
  for (Index i = 0; i < n; ++i) {
    coo.add(i, i, 2);
    if (i + 1 < n) coo.add(i, i + 1, -1), coo.add(i + 1, i, -1);
  }
  return to_csr(coo);
}

/// Solutions that are off by a share, as factors without pivoting give them, or by a fixed amount.
class Inexact final : public DirectSolver<double> {
 public:
  Inexact(double share, double amount) : share_(share), amount_(amount) {}
  void analyse(const Csr<double>& a) override { solver_->analyse(a), n_ = a.num_rows; }
  std::size_t estimated_bytes() const override { return 0; }
  void factor(const Csr<double>& a) override { solver_->factor(a); }
  void solve(double* x, Index num_rhs) override {
    solver_->solve(x, num_rhs);
    for (Index i = 0; i < n_ * num_rhs; ++i) x[i] = (1 + share_) * x[i] + (i % 2 == 0 ? amount_ : -amount_);
  }
  bool require_digits() override { return false; }
  const DirectInfo& info() const override { return solver_->info(); }

 private:
  std::unique_ptr<DirectSolver<double>> solver_ = make_direct_solver<double>({});
  Index n_ = 0;
  double share_, amount_;
};

TEST(Refinement, GoesOnUntilTheToleranceIsReached) {
  const auto a = second_differences(20);
  const std::vector<double> b(20, 2.0);
  std::vector<double> x(20);
  Inexact solver(1e-2, 0);
  solver.analyse(a), solver.factor(a);

  const auto solution = solve_refined(solver, a, b.data(), x.data(), 1, 1e-11);

  EXPECT_LE(solution.residual, 1e-11);
  EXPECT_EQ(solution.steps, 6);  // each gains two digits, to a hundredth of the tolerance
  for (Index i = 0; i < 20; ++i) EXPECT_NEAR(x[std::size_t(i)], double(i + 1) * (20 - i), 1e-9);
}

TEST(Refinement, WhatStagnatesAboveTheToleranceIsNoSolution) {
  const auto a = second_differences(20);
  const std::vector<double> b(20, 2.0);
  std::vector<double> x(20);
  Inexact solver(0, 1e-8);
  solver.analyse(a), solver.factor(a);

  EXPECT_THROW(solve_refined(solver, a, b.data(), x.data(), 1, 1e-10), NumericalError);
  EXPECT_NO_THROW(solve_refined(solver, a, b.data(), x.data(), 1, 1e-6));
}

/// x_i = i (n + 1 - i) solves A x = 2; |A| |x| is 1e8 times |b|: no x in double precision leaves 1e-13.
TEST(Refinement, CountsAsSolvedWhatIsRightToRounding) {
  const Index n = 20000;
  const auto a = second_differences(n);
  const std::vector<double> b(std::size_t(n), 2.0);
  std::vector<double> x(b.size());
  auto solver = make_direct_solver<double>({});
  solver->analyse(a), solver->factor(a);

  const auto solution = solve_refined(*solver, a, b.data(), x.data(), 1, 1e-13);

  EXPECT_GT(solution.residual, 1e-13);
  EXPECT_TRUE(solution.at_rounding);
  EXPECT_LT(solution.backward_error, rounding_backward_error(n));
  double worst = 0;
  for (Index i = 0; i < n; ++i) {
    const double right = double(i + 1) * double(n - i);
    worst = std::max(worst, std::abs(x[std::size_t(i)] / right - 1));
  }
  EXPECT_LT(worst, 1e-6);
}

}  // namespace
}  // namespace curlew::linalg
