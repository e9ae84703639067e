// SPDX-License-Identifier: BSD-3-Clause
// An iteration on a wrong operator that preconditions one on the right operator, against dense solutions.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "helmholtz.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/sparse/crs_operator.hpp"

namespace curlew::linalg {
namespace {

using testing::helmholtz;
using testing::right_side;

/// y = A x, or of a matrix A' nearby while errors are allowed; counts both.
class Switched final : public LinearOperator<Complex> {
 public:
  Switched(const Csr<Complex>& a, double error)
      : loose_(testing::disturbed(a, error)), right(a), wrong(loose_) {}
  Index size() const override { return right.size(); }
  void apply(const Complex* x, Complex* y) const override {
    ++(is_loose ? num_wrong : num_right);
    (is_loose ? wrong : right).apply(x, y);
  }
  KrylovOptions nesting(double tolerance, int most = 400, int outer = 60) {
    KrylovOptions o;
    o.method = KrylovMethod::gmres, o.tolerance = tolerance, o.max_iterations = 3000;
    o.kept_directions = most, o.outer_directions = outer;
    o.allow_error = [this](double allowed) { is_loose = allowed > 0; };
    return o;
  }
  bool is_loose = false;
  mutable int num_right = 0, num_wrong = 0;

 private:
  Csr<Complex> loose_;
  CrsOperator<Complex> right, wrong;
};

struct Pair {
  Csr<Complex> a = helmholtz<Complex>(20, 9);
  std::vector<Complex> first = right_side<Complex>(a.num_rows, 1),
                       second = right_side<Complex>(a.num_rows, 2);
  Switched op{a, 2e-3};
  Jacobi<Complex> jacobi{a};
};

/// The condition is below 1e4; residuals are those of the right operator.
TEST(InnerSolve, OfAWrongOperatorLeadsToTheRightSolution) {
  Pair s;
  const auto exact = testing::dense_solve(s.a, s.first);
  for (const LinearOperator<Complex>* m : {static_cast<const LinearOperator<Complex>*>(nullptr),
                                           static_cast<const LinearOperator<Complex>*>(&s.jacobi)}) {
    for (const double tolerance : {1e-3, 1e-10}) {  // outer directions in single and in double precision
      std::vector<Complex> x(s.first.size());
      s.op.num_right = s.op.num_wrong = 0;
      const auto report = Krylov<Complex>(s.op, m, s.op.nesting(tolerance)).solve(s.first.data(), x.data());

      EXPECT_TRUE(report.converged()) << report.message(s.op.nesting(tolerance));
      EXPECT_FALSE(s.op.is_loose) << "products outside are exact";
      EXPECT_LE(relative_residual(s.a, x.data(), s.first.data()), 1.001 * tolerance);
      EXPECT_LT(testing::difference(exact, x), 1e4 * tolerance);
      EXPECT_EQ(report.iterations, s.op.num_wrong);
      EXPECT_LT(4 * s.op.num_right, s.op.num_wrong);
      ASSERT_EQ(report.residuals.size(), std::size_t(report.iterations));
      EXPECT_LE(report.residuals.back(), tolerance);
      EXPECT_GT(*std::min_element(report.residuals.begin(), report.residuals.end()), 0) << "of every step";
    }
  }
}

/// A start by directions of the wrong operator is right only because the outer iteration makes it so.
TEST(InnerSolve, LaterRightHandSidesTakeFewerProducts) {
  Pair s;
  const auto n = s.first.size();
  auto third = s.first;  // a combination of both
  for (std::size_t i = 0; i < n; ++i) third[i] -= 2.0 * s.second[i];
  Krylov<Complex> krylov(s.op, nullptr, s.op.nesting(1e-6));
  std::vector<Complex> x(n), alone(n);
  const auto one = krylov.solve(s.first.data(), x.data());
  const auto two = krylov.solve(s.second.data(), x.data());
  s.op.num_right = 0;

  const auto three = krylov.solve(third.data(), x.data());

  EXPECT_TRUE(one.converged() && two.converged() && three.converged());
  EXPECT_LT(2 * three.iterations, one.iterations);
  EXPECT_LE(s.op.num_right, 8);
  EXPECT_LE(relative_residual(s.a, x.data(), third.data()), 1.001e-6);
  EXPECT_LT(testing::difference(testing::dense_solve(s.a, third), x), 1e4 * 1e-6);

  krylov.forget();
  const auto again = krylov.solve(third.data(), x.data());
  const auto fresh = Krylov<Complex>(s.op, nullptr, s.op.nesting(1e-6)).solve(third.data(), alone.data());
  EXPECT_EQ(again.iterations, fresh.iterations);
  EXPECT_TRUE(x == alone) << "nothing of before is left";
}

/// Where the inner solution is hardly better than none the outer iteration still converges.
TEST(InnerSolve, OfAnOperatorFarOffStillConverges) {
  const auto a = helmholtz<Complex>(16, 3);
  const auto b = right_side<Complex>(a.num_rows, 1);
  Switched op(a, 0.5);
  std::vector<Complex> x(b.size());
  const auto report = Krylov<Complex>(op, nullptr, op.nesting(1e-6, 300, 300)).solve(b.data(), x.data());
  EXPECT_TRUE(report.converged());
  EXPECT_LE(relative_residual(a, x.data(), b.data()), 1.001e-6);
}

TEST(InnerSolve, EndsAtTheLimitOfIterations) {
  Pair s;
  std::vector<Complex> x(s.first.size());
  for (const int limit : {1, 7, 40}) {
    auto o = s.op.nesting(1e-10);
    o.max_iterations = limit;
    const auto report = Krylov<Complex>(s.op, nullptr, o).solve(s.first.data(), x.data());
    EXPECT_EQ(report.status, KrylovStatus::max_iterations);
    EXPECT_EQ(report.iterations, limit);
  }
}

TEST(InnerSolve, CountsItsVectorsAndChecksTheirNumber) {
  KrylovOptions o;
  o.method = KrylovMethod::gmres, o.kept_directions = 400, o.tolerance = 1e-3;
  const int plain = krylov_vectors(o);
  o.outer_directions = 100;
  // Two vectors of single precision each are one of double; x and r of the inner one and its new direction;
  // eight directions that are pending.
  EXPECT_EQ(krylov_vectors(o), plain + 100 + 4 + 4);
  o.tolerance = 1e-6;
  EXPECT_EQ(krylov_vectors(o), plain + 200 + 8 + 4);
  o.outer_directions = 401;
  EXPECT_THROW(check(o), InputError);
}

}  // namespace
}  // namespace curlew::linalg
