// SPDX-License-Identifier: BSD-3-Clause
// Krylov methods on small Helmholtz problems against a dense solve, and every way in which a solve can end.

#include "linalg/krylov/krylov.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>

#include "base/device.hpp"
#include "base/error.hpp"
#include "helmholtz.hpp"
#include "known_system.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/sparse/crs_operator.hpp"

namespace curlew::linalg {
namespace {

using testing::helmholtz;
using testing::KnownSystem;
using testing::Opaque;
using testing::right_side;

struct Case {
  KrylovMethod method;
  int ell;
};
std::vector<Case> all_methods() {
  return {{KrylovMethod::bicgstab, 1},  {KrylovMethod::bicgstabl, 1}, {KrylovMethod::bicgstabl, 2},
          {KrylovMethod::bicgstabl, 4}, {KrylovMethod::bicgstabl, 8}, {KrylovMethod::bicgstabl, 12},
          {KrylovMethod::tfqmr, 1},     {KrylovMethod::gmres, 1},     {KrylovMethod::cocr, 1}};
}
KrylovOptions options_for(const Case& c, double tolerance, int limit = 3000) {
  KrylovOptions o;
  o.method = c.method, o.ell = c.ell, o.tolerance = tolerance, o.max_iterations = limit, o.restart = 60;
  return o;
}
std::string label(const Case& c) {
  return std::string(name_of(c.method)) + " " + std::to_string(c.ell);
}

/// z = M r rounded to 14 bits: no linear operator.
class Rounding final : public LinearOperator<Complex> {
 public:
  explicit Rounding(const LinearOperator<Complex>& m) : m_(m) {}
  Index size() const override { return m_.size(); }
  void apply(const Complex* r, Complex* z) const override {
    m_.apply(r, z);
    for (Index i = 0; i < size(); ++i) z[i] = {rounded(z[i].real()), rounded(z[i].imag())};
  }

 private:
  static double rounded(double value) {
    int exponent = 0;
    const double digits = std::frexp(value, &exponent);
    return std::ldexp(std::round(std::ldexp(digits, 14)), exponent - 14);
  }
  const LinearOperator<Complex>& m_;
};

/// Presses Ctrl-C during its third product.
class Interrupting final : public LinearOperator<Complex> {
 public:
  explicit Interrupting(const LinearOperator<Complex>& a) : a_(a) {}
  Index size() const override { return a_.size(); }
  void apply(const Complex* x, Complex* y) const override {
    if (++products == 3) std::raise(SIGINT);
    a_.apply(x, y);
  }
  mutable int products = 0;

 private:
  const LinearOperator<Complex>& a_;
};

TEST(Krylov, CtrlCEndsEveryMethodWithinOneIteration) {
  const auto a = helmholtz<Complex>(20, 9);
  const auto b = right_side<Complex>(a.num_rows, 1);
  const CrsOperator<Complex> op(a);
  const auto products_after_interrupt = [&](const Case& c) {
    install_interrupt_handler();
    const Interrupting slow(op);
    Krylov<Complex> krylov(slow, nullptr, options_for(c, 1e-8));
    std::vector<Complex> x(b.size());
    try {
      krylov.solve(b.data(), x.data());
    } catch (const Interrupted&) {
      std::_Exit(slow.products - 3);
    }
    std::_Exit(99);
  };

  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fresh process: the flag of an interrupt stays up
  EXPECT_EXIT(products_after_interrupt({KrylovMethod::gmres, 1}), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(products_after_interrupt({KrylovMethod::tfqmr, 1}), ::testing::ExitedWithCode(1), "");
}

/// Only the flexible method reaches its recursive residual with one start.
TEST(Krylov, FlexibleGmresTakesAPreconditionerThatRounds) {
  const KnownSystem s;
  const Rounding rounding(s.jacobi);
  const auto solve = [&](bool flexible, const LinearOperator<Complex>& m) {
    KrylovOptions o = options_for({KrylovMethod::gmres, 1}, 1e-10);
    o.restart = 400, o.flexible = flexible;
    std::vector<Complex> x(s.b.size());
    const auto report = Krylov<Complex>(s.op, &m, o).solve(s.b.data(), x.data());
    EXPECT_TRUE(report.converged());
    EXPECT_LT(testing::difference(s.exact, x), 1e-6);
    return report;
  };

  const auto plain = solve(false, s.jacobi), flexible = solve(true, rounding), stiff = solve(false, rounding);

  EXPECT_EQ(flexible.starts, 1);
  EXPECT_LE(flexible.iterations, plain.iterations + 2);
  EXPECT_GT(stiff.starts, 1);
  EXPECT_GT(stiff.iterations, flexible.iterations + 5);
}

/// y = A x with a random error of as much as is allowed, times `times`.
class Loosened final : public LinearOperator<Complex> {
 public:
  explicit Loosened(const LinearOperator<Complex>& a, double more = 1) : times(more), a_(a) {}
  Index size() const override { return a_.size(); }
  void apply(const Complex* x, Complex* y) const override {
    a_.apply(x, y);
    errors.push_back(allowed);
    const auto noise = right_side<Complex>(size(), unsigned(errors.size()));
    double of_y = 0, of_noise = 0;
    for (Index i = 0; i < size(); ++i) of_y += std::norm(y[i]), of_noise += std::norm(noise[i]);
    const double scale = times * allowed * std::sqrt(of_y / of_noise);
    for (Index i = 0; i < size(); ++i) y[i] += scale * noise[i];
  }
  KrylovOptions relaxing(double tolerance) {
    KrylovOptions o = options_for({KrylovMethod::gmres, 1}, tolerance);
    o.allow_error = [this](double error) { allowed = error; };
    return o;
  }
  double times, allowed = 0;
  mutable std::vector<double> errors;  ///< by product

 private:
  const LinearOperator<Complex>& a_;
};

/// Eigenvalues around 5 + 4j: a condition of some three, as integral equations of the second kind have.
struct SecondKind {
  Csr<Complex> a = shifted(helmholtz<Complex>(20, 3));
  std::vector<Complex> b = right_side<Complex>(a.num_rows, 1);
  CrsOperator<Complex> op{a};

  static Csr<Complex> shifted(Csr<Complex> a) {
    for (Index i = 0; i < a.num_rows; ++i)
      for (Offset e = a.row_offsets[i]; e < a.row_offsets[i + 1]; ++e)
        if (a.columns[e] == i) a.values[e] += Complex(1, 4);
    return a;
  }
  double residual(const std::vector<Complex>& x) const {
    std::vector<Complex> y(x.size());
    op.apply(x.data(), y.data());
    double left = 0, all = 0;
    for (std::size_t i = 0; i < x.size(); ++i) left += std::norm(b[i] - y[i]), all += std::norm(b[i]);
    return std::sqrt(left / all);
  }
};

/// One start is enough for the true residual, with products that are a tenth random in the end. Errors are a
/// tenth of the allowed ones: by the bound the rule's factor 1 is too large for ten products of full errors.
TEST(Relaxation, InexactProductsReachTheToleranceWithoutAnotherStart) {
  const SecondKind s;
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    Loosened loose(s.op, 0.1);
    std::vector<Complex> x(s.b.size()), y(s.b.size());
    const auto exact = Krylov<Complex>(s.op, nullptr, options_for({KrylovMethod::gmres, 1}, tolerance))
                           .solve(s.b.data(), y.data());
    const auto report =
        Krylov<Complex>(loose, nullptr, loose.relaxing(tolerance)).solve(s.b.data(), x.data());

    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.starts, 1);
    EXPECT_LE(s.residual(x), tolerance);
    EXPECT_LE(report.iterations, exact.iterations + 2);
    // The first and the last product are those of true residuals.
    ASSERT_EQ(loose.errors.size(), std::size_t(report.iterations) + 2);
    EXPECT_EQ(loose.errors.front(), 0);
    EXPECT_EQ(loose.errors.back(), 0);
    EXPECT_LE(loose.errors[1], tolerance);
    EXPECT_GT(loose.errors[std::size_t(report.iterations)], 0.2);
    EXPECT_TRUE(std::is_sorted(loose.errors.begin(), loose.errors.end() - 1));
  }
}

/// Products less accurate than allowed, as where the condition is high: exact ones follow, and less error is
/// allowed for the next right-hand side, until the reset.
TEST(Relaxation, ExactProductsFollowWhereTheErrorsWereTooLarge) {
  const SecondKind s;
  Loosened loose(s.op, 30);
  constexpr double tolerance = 1e-6;
  Krylov<Complex> krylov(loose, nullptr, loose.relaxing(tolerance));
  std::vector<Complex> x(s.b.size());
  const auto solve = [&] {
    loose.errors.clear();
    const auto report = krylov.solve(s.b.data(), x.data());
    EXPECT_TRUE(report.converged());
    EXPECT_LE(s.residual(x), tolerance);
    return report;
  };

  const auto first = solve();
  const double at_first = loose.errors[1];
  EXPECT_EQ(first.starts, 2);
  EXPECT_EQ(loose.errors[loose.errors.size() - 2], 0) << "of the second start";
  const auto second = solve();
  EXPECT_EQ(second.starts, 1);
  EXPECT_LT(loose.errors[1], 0.1 * at_first);
  EXPECT_GT(loose.errors[1], 0);
  krylov.forget();
  solve();
  EXPECT_EQ(loose.errors[1], at_first);
}

/// Pairs of recycled directions and their images must be those of one operator (inner_solve_test.cpp); other
/// methods have no proof.
TEST(Relaxation, NothingElseThanCyclesOfGmresIsRelaxed) {
  const SecondKind s;
  for (const auto& c : all_methods()) {
    Loosened loose(s.op);
    KrylovOptions o = loose.relaxing(1e-6);
    o.method = c.method, o.ell = c.ell, o.kept_directions = c.method == KrylovMethod::gmres ? 50 : 0;
    std::vector<Complex> x(s.b.size());
    EXPECT_TRUE(Krylov<Complex>(loose, nullptr, o).solve(s.b.data(), x.data()).converged());
    for (const double error : loose.errors) EXPECT_EQ(error, 0) << label(c);
  }
}

TEST(Krylov, EveryMethodSolvesHelmholtz) {
  // k = 9 is indefinite; the tolerance times the condition (below 1e4 here) bounds the error of x.
  const auto a = helmholtz<Complex>(20, 9);
  const auto b = right_side<Complex>(a.num_rows, 1);
  const auto exact = testing::dense_solve(a, b);
  const CrsOperator<Complex> op(a);
  const Jacobi<Complex> jacobi(a);
  const Opaque opaque(jacobi);
  for (const Case& c : all_methods()) {
    std::vector<std::vector<double>> residuals;
    for (const LinearOperator<Complex>* m : {static_cast<const LinearOperator<Complex>*>(nullptr),
                                             static_cast<const LinearOperator<Complex>*>(&jacobi),
                                             static_cast<const LinearOperator<Complex>*>(&opaque)}) {
      std::vector<Complex> x(a.num_rows);

      const auto report = Krylov<Complex>(op, m, options_for(c, 1e-11)).solve(b.data(), x.data());

      EXPECT_TRUE(report.converged()) << label(c) << ": " << report.message(options_for(c, 1e-11));
      EXPECT_LT(testing::difference(exact, x), 1e-7) << label(c);
      EXPECT_NEAR(report.relative_residual, relative_residual(a, x.data(), b.data()), 1e-13) << label(c);
      residuals.push_back(report.residuals);
    }
    // One preconditioner in two ways of computing it: the same residuals until rounding errors have grown.
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(residuals[1][i], residuals[2][i], 1e-9 * residuals[1][i])
          << label(c) << ": folded and general Jacobi, iteration " << i + 1;
  }
}

TEST(Krylov, TfqmrWithARandomShadowSolvesHelmholtz) {
  const auto a = helmholtz<Complex>(20, 9);
  const auto b = right_side<Complex>(a.num_rows, 1);
  const auto exact = testing::dense_solve(a, b);
  std::vector<Complex> x(a.num_rows);
  KrylovOptions o = options_for({KrylovMethod::tfqmr, 1}, 1e-11);
  o.shadow = Shadow::random;

  const CrsOperator<Complex> op(a);
  const auto report = Krylov<Complex>(op, nullptr, o).solve(b.data(), x.data());

  EXPECT_TRUE(report.converged()) << report.message(o);
  EXPECT_LT(testing::difference(exact, x), 1e-7);
}

/// A wall of the square that moves, and a share of it everywhere.
class MovingWall : public ::testing::Test {
 protected:
  KrylovReport solve(const KrylovOptions& options, Complex everywhere) {
    std::vector<Complex> b(std::size_t(a.num_rows), everywhere);
    std::fill_n(b.begin(), 20, 1.0);
    x.assign(b.size(), {});
    const auto report = Krylov<Complex>(op, nullptr, options).solve(b.data(), x.data());
    error = testing::difference(testing::dense_solve(a, b), x);
    return report;
  }
  KrylovOptions tfqmr(Shadow shadow) {
    KrylovOptions o = options_for({KrylovMethod::tfqmr, 1}, 1e-9, 1000);
    o.shadow = shadow;
    return o;
  }
  Csr<Complex> a = helmholtz<Complex>(20, 17);
  CrsOperator<Complex> op{a};
  std::vector<Complex> x;
  double error = 0;
};

TEST_F(MovingWall, TfqmrTakesARandomShadowWhereTheSourceIsLocalised) {
  const auto report = solve(tfqmr(Shadow::automatic), 0), random = solve(tfqmr(Shadow::random), 0);

  EXPECT_TRUE(report.converged());
  EXPECT_LT(error, 1e-6);
  EXPECT_EQ(report.iterations, random.iterations);
  EXPECT_EQ(report.starts, 1);
}

TEST_F(MovingWall, TfqmrThatStallsTriesAnotherShadowOnce) {
  const auto report = solve(tfqmr(Shadow::automatic), 0.1);

  EXPECT_TRUE(report.converged());
  EXPECT_LT(error, 1e-6);
  EXPECT_EQ(report.starts, 2);
  EXPECT_LT(report.iterations, 600);
}

TEST_F(MovingWall, TfqmrThatGoesNowhereEndsEarly) {
  KrylovOptions o = tfqmr(Shadow::residual);
  const auto report = solve(o, 0);

  EXPECT_EQ(report.status, KrylovStatus::stagnated);
  EXPECT_LT(report.iterations, 500);
  o.ends_stalled = false;
  EXPECT_EQ(solve(o, 0).iterations, 1000);
}

/// A row and its column are empty, and nearly all of the right-hand side is there.
TEST(Krylov, ShortRecurrencesThatGoNowhereEndEarly) {
  auto a = helmholtz<Complex>(20, 17);
  constexpr Index empty = 7;
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset e = a.row_offsets[i]; e < a.row_offsets[i + 1]; ++e)
      if (i == empty || a.columns[e] == empty) a.values[e] = 0;
  auto b = right_side<Complex>(a.num_rows, 1);
  b[empty] = 1000;
  const CrsOperator<Complex> op(a);
  std::vector<Complex> x(b.size());

  const auto report = Krylov<Complex>(op, nullptr, options_for({KrylovMethod::cocr, 1}, 1e-9, 1000))
                          .solve(b.data(), x.data());

  EXPECT_EQ(report.status, KrylovStatus::stagnated);
  EXPECT_LT(report.iterations, 500);
}

/// Residuals stay 1 until the last step: for a method that minimises them this is no stagnation.
TEST(Krylov, GmresMayStandStillForAsLongAsItMust) {
  constexpr Index n = 450;
  Coo<Complex> shift;
  shift.num_rows = shift.num_cols = n;
  for (Index i = 0; i < n; ++i) shift.add(i, (i + 1) % n, 1.0);
  const auto a = to_csr(shift);
  const CrsOperator<Complex> op(a);
  std::vector<Complex> b(n), x(n);
  b[0] = 1;
  KrylovOptions o = options_for({KrylovMethod::gmres, 1}, 1e-9, 500);
  o.restart = 500;

  EXPECT_TRUE(Krylov<Complex>(op, nullptr, o).solve(b.data(), x.data()).converged());
}

TEST(Krylov, SinglePrecisionReachesSinglePrecision) {
  const auto a = helmholtz<ComplexF>(15, 3);
  const auto b = right_side<ComplexF>(a.num_rows, 2);
  const auto exact = testing::dense_solve(a, b);
  const CrsOperator<ComplexF> op(a);
  for (const Case& c : all_methods()) {
    std::vector<ComplexF> x(a.num_rows);

    const auto report = Krylov<ComplexF>(op, nullptr, options_for(c, 1e-5)).solve(b.data(), x.data());

    EXPECT_TRUE(report.converged()) << label(c) << ": " << report.message(options_for(c, 1e-5));
    EXPECT_LT(testing::difference(exact, x), 1e-3) << label(c);
  }
}

TEST(Krylov, GmresInOneCycleNeedsAtMostNSteps) {
  const auto a = helmholtz<Complex>(6, 9);
  const auto b = right_side<Complex>(36, 3);
  const CrsOperator<Complex> op(a);
  KrylovOptions o = options_for({KrylovMethod::gmres, 1}, 1e-12);
  std::vector<Complex> x(36);

  const auto report = Krylov<Complex>(op, nullptr, o).solve(b.data(), x.data());

  EXPECT_TRUE(report.converged());
  EXPECT_LE(report.iterations, 36);
}

TEST(Krylov, BicgstablOfOneIsBicgstab) {
  const auto a = helmholtz<Complex>(15, 2);
  const auto b = right_side<Complex>(a.num_rows, 4);
  const CrsOperator<Complex> op(a);
  std::vector<Complex> x(a.num_rows), y(a.num_rows);
  for (const int steps : {1, 5, 10}) {
    Krylov<Complex>(op, nullptr, options_for({KrylovMethod::bicgstab, 1}, 0, steps))
        .solve(b.data(), x.data());
    Krylov<Complex>(op, nullptr, options_for({KrylovMethod::bicgstabl, 1}, 0, steps))
        .solve(b.data(), y.data());

    double worst = 0;
    for (Index i = 0; i < a.num_rows; ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
    EXPECT_LT(worst, 1e-9) << steps;
  }
}

TEST(Krylov, ManyRightSidesAndInitialGuess) {
  const auto a = helmholtz<Complex>(12, 5);
  const Index n = a.num_rows;
  const auto b = right_side<Complex>(3 * n, 5);
  const CrsOperator<Complex> op(a);
  std::vector<Complex> x(3 * n);
  KrylovOptions o = options_for({KrylovMethod::bicgstab, 1}, 1e-10);

  const auto reports = Krylov<Complex>(op, nullptr, o).solve(b.data(), x.data(), 3);
  o.use_initial_guess = true;
  const auto again = Krylov<Complex>(op, nullptr, o).solve(b.data(), x.data(), 3);

  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(reports[k].converged());
    EXPECT_GT(reports[k].iterations, 5);
    EXPECT_EQ(again[k].iterations, 0) << "the guess is the solution";
    const std::vector<Complex> bk(b.begin() + k * n, b.begin() + (k + 1) * n);
    const std::vector<Complex> xk(x.begin() + k * n, x.begin() + (k + 1) * n);
    EXPECT_LT(testing::difference(testing::dense_solve(a, bk), xk), 1e-6);
  }
}

TEST(KrylovEnds, ZeroRightSide) {
  const auto a = helmholtz<Complex>(5, 1);
  const CrsOperator<Complex> op(a);
  for (const Case& c : all_methods()) {
    std::vector<Complex> b(25), x(25, 7.0);
    const auto report = Krylov<Complex>(op, nullptr, options_for(c, 1e-9)).solve(b.data(), x.data());
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.relative_residual, 0);
    EXPECT_EQ(x, std::vector<Complex>(25));
  }
}

TEST(KrylovEnds, ZeroMatrixIsABreakdownWithResidualOne) {
  Csr<Complex> a;
  a.num_rows = a.num_cols = 25;
  a.row_offsets.assign(26, 0);
  const CrsOperator<Complex> op(a);
  const auto b = right_side<Complex>(25, 1);
  for (const Case& c : all_methods()) {
    std::vector<Complex> x(25, 7.0);
    const KrylovOptions o = options_for(c, 1e-9);
    const auto report = Krylov<Complex>(op, nullptr, o).solve(b.data(), x.data());
    EXPECT_EQ(report.status, KrylovStatus::breakdown) << label(c);
    EXPECT_DOUBLE_EQ(report.relative_residual, 1) << label(c);
    EXPECT_NE(report.message(o).find("singular"), std::string::npos);
    EXPECT_NE(report.message(o).find("1.000e+00"), std::string::npos) << report.message(o);
  }
}

TEST(KrylovEnds, SingularMatrixWithoutSolution) {
  auto a = helmholtz<Complex>(5, 1);
  for (Offset k = a.row_offsets[7]; k < a.row_offsets[8]; ++k) a.values[k] = 0;
  const CrsOperator<Complex> op(a);
  const auto b = right_side<Complex>(25, 1);
  for (const Case& c : all_methods()) {
    std::vector<Complex> x(25);
    const auto report = Krylov<Complex>(op, nullptr, options_for(c, 1e-9, 400)).solve(b.data(), x.data());
    EXPECT_FALSE(report.converged()) << label(c);
    EXPECT_TRUE(std::isfinite(report.relative_residual)) << label(c);
    EXPECT_GT(report.relative_residual, 1e-3) << label(c);
  }
}

TEST(KrylovEnds, NotANumberAnywhere) {
  const auto good = helmholtz<Complex>(5, 1);
  auto bad = good;
  bad.values[40] = std::numeric_limits<double>::quiet_NaN();
  const CrsOperator<Complex> op(good), bad_op(bad);
  const auto b = right_side<Complex>(25, 1);
  auto bad_b = b;
  bad_b[3] = std::numeric_limits<double>::infinity();
  for (const Case& c : all_methods()) {
    std::vector<Complex> x(25);
    const KrylovOptions o = options_for(c, 1e-9);
    const auto in_matrix = Krylov<Complex>(bad_op, nullptr, o).solve(b.data(), x.data());
    const auto in_rhs = Krylov<Complex>(op, nullptr, o).solve(bad_b.data(), x.data());
    EXPECT_EQ(in_matrix.status, KrylovStatus::not_finite) << label(c);
    EXPECT_EQ(in_rhs.status, KrylovStatus::not_finite) << label(c);
    EXPECT_NE(in_matrix.message(o).find("NaN"), std::string::npos);
  }
}

TEST(KrylovEnds, MaxIterationsReportsTheTrueResidual) {
  const auto a = helmholtz<Complex>(20, 9);
  const auto b = right_side<Complex>(a.num_rows, 1);
  const CrsOperator<Complex> op(a);
  for (const Case& c : all_methods()) {
    for (const int limit : {0, 1, 2}) {
      std::vector<Complex> x(a.num_rows);
      const KrylovOptions o = options_for(c, 1e-9, limit);
      const auto report = Krylov<Complex>(op, nullptr, o).solve(b.data(), x.data());
      EXPECT_EQ(report.status, KrylovStatus::max_iterations) << label(c);
      EXPECT_EQ(report.iterations, limit) << label(c);
      EXPECT_NEAR(report.relative_residual, relative_residual(a, x.data(), b.data()), 1e-12) << label(c);
      EXPECT_NE(report.message(o).find("not converged"), std::string::npos);
    }
  }
}

TEST(KrylovEnds, ToleranceZeroGoesToRoundingAndSaysSo) {
  const auto a = helmholtz<Complex>(10, 3);
  const auto b = right_side<Complex>(a.num_rows, 1);
  const CrsOperator<Complex> op(a);
  for (const Case& c : all_methods()) {
    std::vector<Complex> x(a.num_rows);
    const auto report = Krylov<Complex>(op, nullptr, options_for(c, 0, 500)).solve(b.data(), x.data());
    EXPECT_TRUE(report.status == KrylovStatus::stagnated || report.status == KrylovStatus::max_iterations)
        << label(c) << ": " << name_of(report.status);
    EXPECT_LT(report.relative_residual, 1e-12) << label(c);
    EXPECT_GT(report.relative_residual, 0) << label(c);
  }
}

TEST(KrylovEnds, WrongOptionsAreRefused) {
  const auto a = helmholtz<Complex>(3, 1);
  const CrsOperator<Complex> op(a);
  const auto make = [&](auto&& change) {
    KrylovOptions o;
    change(o);
    Krylov<Complex>(op, nullptr, o);
  };
  EXPECT_THROW(make([](auto& o) { o.tolerance = -1; }), InputError);
  EXPECT_THROW(make([](auto& o) { o.max_iterations = -1; }), InputError);
  EXPECT_THROW(make([](auto& o) { o.ell = 17; }), InputError);
  EXPECT_THROW(make([](auto& o) { o.restart = 0; }), InputError);
  EXPECT_THROW(make([](auto& o) { o.kept_directions = -1; }), InputError);
  EXPECT_THROW(krylov_method_from("cg"), InputError);
  EXPECT_EQ(krylov_method_from("tfqmr"), KrylovMethod::tfqmr);
  EXPECT_THROW(shadow_from("none"), InputError);
  EXPECT_EQ(KrylovOptions().max_iterations, 1000);  // the paper's
}

TEST(Jacobi, NamesTheRowWithoutDiagonal) {
  auto a = helmholtz<Complex>(3, 1);
  a.values[a.row_offsets[4] + 2] = 0;
  try {
    Jacobi<Complex> jacobi(a);
    FAIL();
  } catch (const NumericalError& e) {
    EXPECT_NE(std::string(e.what()).find("row 4"), std::string::npos) << e.what();
  }
}

/// An operator that has only a size.
class Huge final : public LinearOperator<Complex> {
 public:
  Index size() const override { return std::numeric_limits<Index>::max(); }
  void apply(const Complex*, Complex*) const override {}
};

TEST(Krylov, MemoryThatDoesNotSufficeIsSaidBeforeAnyIsTaken) {
  KrylovOptions o;
  o.method = KrylovMethod::gmres, o.restart = 500;
  try {
    Krylov<Complex>(Huge(), nullptr, o);
    FAIL() << "17 TB were granted";
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("gmres needs 16192.00 GiB of memory, "), std::string::npos)
        << error.what();
  }
  try {  // the GPU's, which the CPU refuses as well: it has none
    require_device_memory(std::size_t(1) << 42, "a preconditioner");
    FAIL() << "4 TB were granted";
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("a preconditioner needs 4096.00 GiB of device memory, "),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace curlew::linalg
