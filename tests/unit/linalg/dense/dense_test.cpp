// SPDX-License-Identifier: BSD-3-Clause
// Dense solves in both precisions against known solutions, condition estimates, refusals.

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "linalg/dense/kept_lu.hpp"
#include "random_matrix.hpp"

extern "C" int openblas_get_num_threads() __attribute__((weak));

namespace curlew::linalg {
namespace {

// Those that wait for others never sleep.
TEST(DenseLu, ThreadsOfTheBlasAreNoMoreThanCores) {
  if (openblas_get_num_threads == nullptr) GTEST_SKIP() << "another BLAS";
  const int before = num_threads();
  set_num_threads(16 * omp_get_num_procs());
  EXPECT_EQ(num_threads(), 16 * omp_get_num_procs());
  EXPECT_LE(openblas_get_num_threads(), omp_get_num_procs());
  set_num_threads(before);
}

TEST(DenseLu, BothPrecisionsReachTheSameResidual) {
  for (const auto precision : {LuPrecision::full, LuPrecision::mixed, LuPrecision::automatic}) {
    for (const Offset n : {1, 31, 130, 601}) {
      auto a = random_matrix(n, 3);
      auto x = right_sides(a, 5);

      const auto report = solve_dense(a, x.data(), 5, precision);

      EXPECT_LT(error_of(x, n), 1e-10) << n << " " << report.method;
      EXPECT_LT(report.residual, 1e-12) << n << " " << report.method;
    }
  }
}

TEST(DenseLu, SmallRightHandSidesAreNotLost) {
  auto a = random_matrix(40, 3);
  auto x = right_sides(a, 1);
  for (auto& v : x) v *= 1e-60;  // below what single precision can hold
  solve_dense(a, x.data(), 1, LuPrecision::mixed);
  for (auto& v : x) v *= 1e60;
  EXPECT_LT(error_of(x, 40), 1e-11);
}

TEST(DenseLu, ConditionIsEstimatedWithinAFactorOfThree) {
  // diag(1, ..., 1, 1e-6) between two permutations: ||A||_1 = 1, ||A^-1||_1 = 1e6.
  DenseMatrix a(50, 50);
  for (Offset j = 0; j < 50; ++j) {
    for (Offset i = 0; i < 50; ++i) a(i, j) = (i + 17) % 50 == j ? (j == 3 ? 1e-6 : 1.0) : 0.0;
  }
  std::vector<Complex> b(50, 1.0);
  const auto report = solve_dense(a, b.data(), 1, LuPrecision::full);
  EXPECT_GT(report.condition, 0.3e6);
  EXPECT_LT(report.condition, 1.01e6);
}

TEST(DenseLu, IllConditionedMatricesFallBackToDouble) {
  // A graded Hilbert-like matrix: condition about 1e10, far beyond single precision.
  const Offset n = 600;
  auto a = random_matrix(n, 0);
  for (Offset j = 0; j < n; ++j) a(n - 1, j) = a(0, j) + 1e-10 * a(n - 1, j);
  auto copy = copy_of(a);
  auto x = right_sides(a, 1), again = x;
  const auto report = solve_dense(a, x.data(), 1, LuPrecision::automatic);
  EXPECT_EQ(report.method, "LU in double precision");
  EXPECT_GT(report.condition, 1e9);
  EXPECT_LT(error_of(x, n), 1e-3);
  EXPECT_THROW(solve_dense(copy, again.data(), 1, LuPrecision::mixed), NumericalError);
}

/// Beside a matrix its factors suffice, far from it there are new ones; graded rows as of small triangles
/// have a condition beyond plain refinement.
TEST(KeptLu, SolvesMatricesLikeTheFirstByItsFactors) {
  const Offset n = 1200;
  auto first = random_matrix(n, 100);
  for (Offset j = 0; j < n; ++j)
    for (Offset i = 0; i < n; ++i) first(i, j) *= std::pow(10, 8 * double(i) / double(n));
  auto beside = copy_of(first), far = random_matrix(n, 100);
  for (Offset j = 0; j < n; ++j)
    for (Offset i = 0; i < n; ++i) beside(i, j) *= 1 + 0.2 * std::sin(double(i)) * (i == j ? 1 : 0);
  KeptLu kept;
  const auto expect = [&](const DenseMatrix& a, const std::string& method) {
    auto x = right_sides(a, 2);
    const auto report = kept.solve(a, x.data(), 2);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->method, method);
    EXPECT_LT(report->residual, 1e-11);
    EXPECT_LT(error_of(x, n), 1e-9);
  };
  const std::string own = "LU in single precision, refined in double",
                    others = "factors of another frequency, refined in double";
  expect(first, own);
  expect(beside, others);
  expect(far, own);

  auto small = random_matrix(40, 3);
  auto b = right_sides(small, 1);
  EXPECT_FALSE(kept.solve(small, b.data(), 1));
  EXPECT_EQ(b, right_sides(small, 1));
}

TEST(DenseLu, RefusesSingularAndBrokenMatrices) {
  std::vector<Complex> b(4, 1.0);
  DenseMatrix zero(4, 4), broken(4, 4);
  for (Offset j = 0; j < 4; ++j) std::fill(zero.column(j), zero.column(j) + 4, Complex(0));
  for (Offset j = 0; j < 4; ++j) std::fill(broken.column(j), broken.column(j) + 4, Complex(1));
  broken(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solve_dense(zero, b.data(), 1, LuPrecision::full), NumericalError);
  EXPECT_THROW(solve_dense(broken, b.data(), 1, LuPrecision::full), NumericalError);
  EXPECT_THROW(DenseMatrix(10000000, 10000000), ResourceError);
}

}  // namespace
}  // namespace curlew::linalg
