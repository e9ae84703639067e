// SPDX-License-Identifier: BSD-3-Clause
// Each decomposition put together again: definitions, not another library's result.
#include "linalg/dense/decompositions.hpp"

#include <gtest/gtest.h>

#include <complex>

#include "base/error.hpp"

namespace curlew::linalg {
namespace {

using Matrix = Eigen::MatrixXcd;

Matrix noise(Eigen::Index rows, Eigen::Index columns) {
  std::srand(7);
  return Matrix::Random(rows, columns);
}

double off(const Matrix& a, const Matrix& b) {
  return (a - b).norm() / b.norm();
}

TEST(Decompositions, LinearSystemsAreSolved) {
  const Matrix a = noise(9, 9), x = noise(9, 3);
  EXPECT_LT(off(solve(a, a * x), x), 1e-12);
  const Eigen::MatrixXd r = a.real(), y = x.real();
  EXPECT_LT((solve(r, r * y) - y).norm(), 1e-11);
  EXPECT_THROW(solve(Matrix(Matrix::Zero(3, 3)), Matrix(Matrix::Ones(3, 1))), NumericalError);
}

TEST(Decompositions, SingularValuesRebuildTallAndWideMatrices) {
  for (const auto& [rows, columns] : {std::pair{8, 5}, std::pair{5, 8}}) {
    const Matrix a = noise(rows, columns);
    const Svd f = svd(a);
    EXPECT_LT(off(f.u * f.s.asDiagonal() * f.v.adjoint(), a), 1e-13);
    EXPECT_LT(off(f.v.adjoint() * f.v, Matrix::Identity(5, 5)), 1e-13);
    for (Eigen::Index i = 1; i < 5; ++i) EXPECT_GE(f.s[i - 1], f.s[i]);
  }
}

TEST(Decompositions, EigenvectorsOfAHermitianMatrix) {
  const Matrix b = noise(6, 6), a = b + b.adjoint();
  const Eigh f = eigh(a);
  EXPECT_LT(off(a * f.vectors, f.vectors * f.values.asDiagonal()), 1e-13);
  EXPECT_LT(off(f.vectors.adjoint() * f.vectors, Matrix::Identity(6, 6)), 1e-13);
  EXPECT_LT(f.values[0], f.values[5]);
}

TEST(Decompositions, PivotedQrSeesTheRank) {
  const Matrix a = noise(20, 3) * noise(3, 6);
  const ColumnPivotedQr f = column_pivoted_qr(a);
  Matrix permuted(20, 6);
  for (Eigen::Index c = 0; c < 6; ++c) permuted.col(c) = a.col(f.columns[std::size_t(c)]);
  EXPECT_LT(off(f.q * f.r, permuted), 1e-13);
  EXPECT_LT(off(f.q.adjoint() * f.q, Matrix::Identity(6, 6)), 1e-13);
  EXPECT_EQ(f.rank(1e-10 * std::abs(f.r(0, 0))), 3);
}

}  // namespace
}  // namespace curlew::linalg
