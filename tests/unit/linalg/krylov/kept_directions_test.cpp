// SPDX-License-Identifier: BSD-3-Clause
// GMRES with directions that are kept from one right-hand side to the next, against dense solutions and
// GMRES.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "helmholtz.hpp"
#include "known_system.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/sparse/crs_operator.hpp"

namespace curlew::linalg {
namespace {

using testing::helmholtz;
using testing::KnownSystem;
using testing::Opaque;
using testing::right_side;

/// Counts its products.
class Counting final : public LinearOperator<Complex> {
 public:
  explicit Counting(const LinearOperator<Complex>& a) : a_(a) {}
  Index size() const override { return a_.size(); }
  void apply(const Complex* x, Complex* y) const override { ++products, a_.apply(x, y); }
  mutable int products = 0;

 private:
  const LinearOperator<Complex>& a_;
};

KrylovOptions keeping(double tolerance, int most) {
  KrylovOptions o;
  o.method = KrylovMethod::gmres, o.tolerance = tolerance, o.max_iterations = 3000;
  o.restart = 400, o.kept_directions = most;
  return o;
}

/// In exact arithmetic GCR is GMRES without cycles, as long as nothing is kept from before.
TEST(KeptDirections, TheFirstSolutionTakesTheIterationsOfGmres) {
  const KnownSystem s;
  const Opaque opaque(s.jacobi);
  const LinearOperator<Complex>* const all[] = {nullptr, &s.jacobi, &opaque};
  for (const auto* m : all) {
    for (const double tolerance : {1e-3, 1e-10}) {  // directions in single and in double precision
      std::vector<Complex> x(s.b.size()), y(s.b.size());
      const auto kept = Krylov<Complex>(s.op, m, keeping(tolerance, 400)).solve(s.b.data(), x.data());
      const auto gmres = Krylov<Complex>(s.op, m, keeping(tolerance, 0)).solve(s.b.data(), y.data());

      EXPECT_TRUE(kept.converged());
      EXPECT_NEAR(kept.iterations, gmres.iterations, 2);
      EXPECT_EQ(kept.starts, 1);
      EXPECT_LT(testing::difference(s.exact, x), 1e4 * tolerance);  // the condition is below 1e4
    }
  }
}

/// Six right-hand sides of which four are independent: one more is their sum, one is zero.
TEST(KeptDirections, LaterRightHandSidesTakeFewerProducts) {
  const auto a = helmholtz<Complex>(20, 9);
  const std::size_t n = std::size_t(a.num_rows);
  std::vector<Complex> b;
  for (int k = 0; k < 4; ++k) {
    const auto one = right_side<Complex>(a.num_rows, k + 1);
    b.insert(b.end(), one.begin(), one.end());
  }
  b.resize(6 * n);
  for (std::size_t i = 0; i < n; ++i) b[4 * n + i] = b[i] + b[n + i] + b[2 * n + i] + b[3 * n + i];
  const CrsOperator<Complex> op(a);
  const Counting alone(op), together(op);
  std::vector<Complex> x(b.size()), y(b.size());

  Krylov<Complex>(alone, nullptr, keeping(1e-8, 0)).solve(b.data(), x.data(), 6);
  const auto reports = Krylov<Complex>(together, nullptr, keeping(1e-8, 1000)).solve(b.data(), y.data(), 6);

  EXPECT_LT(2 * together.products, alone.products);
  EXPECT_LE(reports[4].iterations, 3) << "only what the four have left of their residuals";
  EXPECT_EQ(reports[5].iterations, 0);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_TRUE(reports[k].converged()) << k;
    const std::vector<Complex> rhs(b.begin() + std::ptrdiff_t(k * n),
                                   b.begin() + std::ptrdiff_t((k + 1) * n));
    const std::vector<Complex> own(y.begin() + std::ptrdiff_t(k * n),
                                   y.begin() + std::ptrdiff_t((k + 1) * n));
    const auto exact = testing::dense_solve(a, rhs);
    if (k < 5)
      EXPECT_LT(testing::difference(exact, own), 1e4 * 1e-8) << k;
    else
      EXPECT_EQ(own, rhs);
  }
}

/// The oldest are dropped: more iterations, the same solution.
TEST(KeptDirections, FewerThanAnIterationNeedsStillConverge) {
  const auto a = helmholtz<Complex>(20, 3);
  const auto b = right_side<Complex>(a.num_rows, 1);
  const auto exact = testing::dense_solve(a, b);
  const CrsOperator<Complex> op(a);
  std::vector<Complex> x(b.size());

  const auto report = Krylov<Complex>(op, nullptr, keeping(1e-8, 12)).solve(b.data(), x.data());

  EXPECT_TRUE(report.converged());
  EXPECT_GT(report.iterations, 12);
  EXPECT_LT(testing::difference(exact, x), 1e-4);
}

/// The recursive residual equals the true one as long as directions and images belong together.
TEST(KeptDirections, StayThoseOfTheirImagesWhereTheOldestGo) {
  const auto a = helmholtz<Complex>(20, 3);
  auto b = right_side<Complex>(a.num_rows, 1);
  const auto second = right_side<Complex>(a.num_rows, 2);
  b.insert(b.end(), second.begin(), second.end());
  const CrsOperator<Complex> op(a);
  for (const int most : {3, 7, 8, 9, 12, 21}) {  // below, at and above the number that is pending
    std::vector<Complex> x(b.size());
    for (const auto& report :
         Krylov<Complex>(op, nullptr, keeping(1e-8, most)).solve(b.data(), x.data(), 2)) {
      EXPECT_TRUE(report.converged()) << most;
      EXPECT_GT(report.iterations, most);
      EXPECT_EQ(report.starts, 1) << most;
      EXPECT_NEAR(report.relative_residual, report.estimated_residual, 1e-12) << most;
    }
  }
}

TEST(KeptDirections, ForgottenOnesLeaveTheSolutionOfAFreshSolverToTheBit) {
  const auto a = helmholtz<Complex>(20, 9);
  const auto first = right_side<Complex>(a.num_rows, 1), second = right_side<Complex>(a.num_rows, 2);
  const CrsOperator<Complex> op(a);
  for (const double tolerance : {1e-3, 1e-8}) {  // directions in single and in double precision
    std::vector<Complex> x(first.size()), y(first.size()), fresh(first.size());
    Krylov<Complex> krylov(op, nullptr, keeping(tolerance, 400));
    krylov.solve(first.data(), x.data());
    const auto taught = krylov.solve(second.data(), y.data());
    krylov.forget();
    const auto again = krylov.solve(second.data(), x.data());
    const auto alone =
        Krylov<Complex>(op, nullptr, keeping(tolerance, 400)).solve(second.data(), fresh.data());

    EXPECT_EQ(again.iterations, alone.iterations);
    EXPECT_LT(taught.iterations, alone.iterations);
    EXPECT_TRUE(x == fresh);
  }
}

/// GCR from residuals alone stagnates here, as every residual but the last is orthogonal to its image.
TEST(KeptDirections, AShiftOfAllUnknownsIsSolvedAfterAsManyProducts) {
  constexpr Index n = 12;
  Coo<Complex> coo;
  coo.num_rows = coo.num_cols = n;
  for (Index i = 0; i < n; ++i) coo.add(i, (i + 1) % n, 1);
  const auto a = to_csr(coo);
  const CrsOperator<Complex> op(a);
  std::vector<Complex> b(n), x(n);
  b[0] = 1;

  const auto report = Krylov<Complex>(op, nullptr, keeping(1e-8, 40)).solve(b.data(), x.data());

  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, n);
  EXPECT_NEAR(std::abs(x[1] - 1.0), 0, 1e-12);
}

/// A product that changes without notice: recycled directions are dropped, and the current product gives the
/// result.
class Scaled final : public LinearOperator<Complex> {
 public:
  explicit Scaled(const LinearOperator<Complex>& a) : a_(a) {}
  Index size() const override { return a_.size(); }
  void apply(const Complex* x, Complex* y) const override {
    a_.apply(x, y);
    for (Index i = 0; i < size(); ++i) y[i] *= factor;
  }
  double factor = 1;

 private:
  const LinearOperator<Complex>& a_;
};

TEST(KeptDirections, ThatHaveDriftedAreForgotten) {
  const auto a = helmholtz<Complex>(20, 3);
  const auto b = right_side<Complex>(a.num_rows, 1);
  const auto exact = testing::dense_solve(a, b);
  const CrsOperator<Complex> op(a);
  Scaled scaled(op);
  Krylov<Complex> krylov(scaled, nullptr, keeping(1e-8, 400));
  std::vector<Complex> x(b.size());
  krylov.solve(b.data(), x.data());

  scaled.factor = 2;
  const auto report = krylov.solve(b.data(), x.data());

  EXPECT_TRUE(report.converged());
  for (auto& value : x) value *= 2;
  EXPECT_LT(testing::difference(exact, x), 1e-4);
}

}  // namespace
}  // namespace curlew::linalg
