// SPDX-License-Identifier: BSD-3-Clause
// Real factors behind a complex interface against dense elimination, and what becomes of matrices that are
// not real.
#include "linalg/direct/real_factors.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "base/error.hpp"
#include "test_matrices.hpp"

namespace curlew::linalg {
namespace {

constexpr Complex no_loss{3.3, 0};

Eigen::MatrixXcd dense(const Csr<Complex>& a) {
  Eigen::MatrixXcd full = Eigen::MatrixXcd::Zero(a.num_rows, a.num_cols);
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) full(i, a.columns[k]) = a.values[k];
  return full;
}

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

void expect_solves(DirectSolver<Complex>& solver, const Csr<Complex>& a) {
  const Eigen::MatrixXcd b = columns(a.num_rows), expected = dense(a).partialPivLu().solve(b);
  Eigen::MatrixXcd x = b;
  solver.factor(a);
  solver.solve(x.data(), 4);
  for (Eigen::Index c = 0; c < 3; ++c)
    EXPECT_LT((x.col(c) - expected.col(c)).norm(), 1e-11 * expected.col(c).norm()) << c;
  EXPECT_EQ(x.col(3).norm(), 0);
}

TEST(RealFactors, AgreeWithDenseElimination) {
  for (const auto symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    auto a = helmholtz_like(5, 2, no_loss);
    if (symmetry == Symmetry::unsymmetric)
      for (Index i = 0; i < a.num_rows; ++i)
        for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
          if (a.columns[k] > i) a.values[k] *= 0.4;
    const auto solver = make_real_factors({.symmetry = symmetry});
    solver->analyse(a);
    expect_solves(*solver, a);
    EXPECT_TRUE(solver->info().library.ends_with(", real"));
  }
}

TEST(RealFactors, TakeHalfTheMemory) {
  const auto a = helmholtz_like(28, 1, no_loss);
  const auto real = make_real_factors({}), complex = make_direct_solver<Complex>({});
  double bytes[2];
  int i = 0;
  for (DirectSolver<Complex>* solver : {real.get(), complex.get()}) {
    solver->analyse(a);
    solver->factor(a);
    bytes[i++] = double(solver->info().factor_bytes);
  }
  EXPECT_LT(bytes[0], 0.65 * bytes[1]);
}

TEST(RealFactors, OfAMatrixThatIsNotRealAreComplexFromThenOn) {
  const auto real = helmholtz_like(5, 2, no_loss), lossy = helmholtz_like(5, 2, no_loss - Complex(0, 1e-9));
  const auto solver = make_real_factors({});
  solver->analyse(real);
  expect_solves(*solver, real);
  for (const auto& a : {lossy, real}) {
    expect_solves(*solver, a);
    EXPECT_FALSE(solver->info().library.ends_with(", real"));
  }
}

TEST(RealFactors, RefuseAnotherPattern) {
  const auto solver = make_real_factors({});
  solver->analyse(helmholtz_like(5, 2, no_loss));
  EXPECT_THROW(solver->factor(helmholtz_like(5, 1, no_loss)), InputError);
}

}  // namespace
}  // namespace curlew::linalg
