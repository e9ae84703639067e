// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Dense decompositions of small matrices by LAPACK, compiled once: Eigen's own would be compiled again in
// every file that uses them.

#include <Eigen/Core>
#include <vector>

namespace curlew::linalg {

/// X with A X = B, by LU with partial pivoting. @param a [n, n] @param b [n, columns]
/// @throws NumericalError if A is singular
Eigen::MatrixXcd solve(Eigen::MatrixXcd a, Eigen::MatrixXcd b);
Eigen::MatrixXd solve(Eigen::MatrixXd a, Eigen::MatrixXd b);

/// A = U diag(s) V^H with k = min(m, n) singular values, descending.
struct Svd {
  Eigen::MatrixXcd u;  ///< [m, k]
  Eigen::VectorXd s;   ///< [k]
  Eigen::MatrixXcd v;  ///< [n, k]
};
/// @param a [m, n] @throws NumericalError if the iteration does not converge (values that are not finite)
Svd svd(Eigen::MatrixXcd a);

/// A = V diag(w) V^H.
struct Eigh {
  Eigen::VectorXd values;    ///< [n], ascending
  Eigen::MatrixXcd vectors;  ///< [n, n], orthonormal columns
};
/// @param a [n, n] Hermitian; its lower triangle is read @throws NumericalError as svd
Eigh eigh(Eigen::MatrixXcd a);

/// A P = Q R with the longest remaining column first: |r_00| >= |r_11| >= ...
struct ColumnPivotedQr {
  Eigen::MatrixXcd q;                 ///< [m, k], k = min(m, n), orthonormal columns
  Eigen::MatrixXcd r;                 ///< [k, n], upper triangle
  std::vector<Eigen::Index> columns;  ///< [n] of A, in the order of R

  /// Rows of R whose diagonal is longer than `least`.
  Eigen::Index rank(double least) const;
};
/// @param a [m, n]
ColumnPivotedQr column_pivoted_qr(Eigen::MatrixXcd a);

}  // namespace curlew::linalg
