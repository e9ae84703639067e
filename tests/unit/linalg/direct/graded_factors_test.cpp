// SPDX-License-Identifier: BSD-3-Clause
// Real and single-precision factors with a complex interface against dense elimination, also for matrices for
// which they do not suffice.
#include "linalg/direct/graded_factors.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "dense_of.hpp"
#include "linalg/direct/refinement.hpp"
#include "test_matrices.hpp"

namespace curlew::linalg {
namespace {

constexpr Complex no_loss{3.3, 0};

/// Complex, real, imaginary and zero columns.
Eigen::MatrixXcd columns(Index n) {
  const auto random = random_vector(std::size_t(n));
  Eigen::MatrixXcd b(n, 4);
  b.col(0) = Eigen::Map<const Eigen::VectorXcd>(random.data(), n);
  b.col(1) = b.col(0).real().cast<Complex>();
  b.col(2) = Complex(0, 1) * b.col(0).imag();
  b.col(3).setZero();
  return b;
}

/// Whatever the factors, refinement leads to the digits of double precision.
void expect_solves(DirectSolver<Complex>& solver, const Csr<Complex>& a) {
  const Eigen::MatrixXcd b = columns(a.num_rows), expected = dense_of(a).partialPivLu().solve(b);
  const auto error = [&](const Eigen::MatrixXcd& x) { return (x - expected).norm() / expected.norm(); };
  Eigen::MatrixXcd x = b, refined = b;
  solver.factor(a);
  solver.solve(x.data(), 4);
  solve_refined(solver, a, b.data(), refined.data(), 4);
  EXPECT_EQ(x.col(3).norm(), 0);
  EXPECT_LT(error(refined), 1e-11);
  EXPECT_LT(error(x), solver.info().has_single_precision ? 1e-4 : 1e-11);
  if (solver.info().has_single_precision) {
    EXPECT_GT(error(x), 1e-9) << "factors in double precision?";
  }
}

bool is_real(const DirectSolver<Complex>& solver) {
  return solver.info().library.ends_with(", real");
}

TEST(GradedFactors, AgreeWithDenseElimination) {
  for (const bool single : {false, true})
    for (const auto symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
      auto a = helmholtz_like(5, 2, no_loss);
      if (symmetry == Symmetry::unsymmetric)
        for (Index i = 0; i < a.num_rows; ++i)
          for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
            if (a.columns[k] > i) a.values[k] *= 0.4;
      const auto solver =
          make_graded_factors({.symmetry = symmetry, .real_values = true, .single_precision = single});
      solver->analyse(a);
      expect_solves(*solver, a);
      EXPECT_TRUE(is_real(*solver));
      EXPECT_EQ(solver->info().has_single_precision, single);
    }
}

TEST(GradedFactors, TakeTheMemoryOfTheirNumbers) {
  const auto a = helmholtz_like(28, 1, no_loss);
  const auto bytes = [&](bool real, bool single) {
    const auto solver = make_graded_factors({.real_values = real, .single_precision = single});
    solver->analyse(a);
    solver->factor(a);
    return double(solver->info().factor_bytes);
  };
  const double whole = bytes(false, false);
  EXPECT_LT(bytes(true, false), 0.65 * whole);
  EXPECT_LT(bytes(false, true), 0.65 * whole);
  EXPECT_LT(bytes(true, true), 0.45 * whole);
}

TEST(GradedFactors, OfAMatrixThatIsNotRealAreComplexFromThenOn) {
  const auto real = helmholtz_like(5, 2, no_loss), lossy = helmholtz_like(5, 2, no_loss - Complex(0, 1e-9));
  const auto solver = make_graded_factors({.real_values = true});
  solver->analyse(real);
  expect_solves(*solver, real);
  for (const auto& a : {lossy, real}) {
    expect_solves(*solver, a);
    EXPECT_FALSE(is_real(*solver));
  }
}

TEST(GradedFactors, AreInDoublePrecisionOnceMoreDigitsAreRequired) {
  const auto a = helmholtz_like(5, 2, no_loss);
  const auto solver = make_graded_factors({.real_values = true, .single_precision = true});
  solver->analyse(a);
  expect_solves(*solver, a);
  EXPECT_TRUE(solver->require_digits());
  expect_solves(*solver, a);
  EXPECT_FALSE(solver->info().has_single_precision);
  EXPECT_TRUE(is_real(*solver));
  EXPECT_TRUE(solver->require_digits()) << "by pivoting";
  EXPECT_FALSE(solver->require_digits());
}

/// A right-hand side beyond the range of single precision is scaled; so is the matrix.
TEST(GradedFactors, KnowNoRangeOfSinglePrecision) {
  auto a = helmholtz_like(5, 2, no_loss);
  for (Complex& value : a.values) value *= 1e-60;
  for (const bool real : {false, true}) {
    const auto solver = make_graded_factors({.real_values = real, .single_precision = true});
    solver->analyse(a);
    expect_solves(*solver, a);
    EXPECT_TRUE(solver->info().has_single_precision);
  }
}

TEST(GradedFactors, RefuseAnotherPattern) {
  const auto solver = make_graded_factors({.real_values = true});
  solver->analyse(helmholtz_like(5, 2, no_loss));
  EXPECT_THROW(solver->factor(helmholtz_like(5, 1, no_loss)), InputError);
}

}  // namespace
}  // namespace curlew::linalg
