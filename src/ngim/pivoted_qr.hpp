// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Interpolative decomposition A ~ A(:, pivots) P by QR with column pivots. Columns are updated in panels, so
// that most of the work is products of matrices. Sources: Cheng, Gimbutas, Martinsson and Rokhlin (2005),
// SIAM J. Sci. Comput. 26; Quintana-Orti, Sun and Bischof (1998), SIAM J. Sci. Comput. 19 (panels).

#include <Eigen/Core>
#include <vector>

namespace curlew::ngim {

class PivotedQr {
 public:
  /// @param a [m, n], overwritten by the remainder
  explicit PivotedQr(Eigen::MatrixXcd a);

  /// Adds pivots until every remaining column is below `error` times the longest one of A, or none remains.
  /// Earlier pivots stay: a smaller error costs only further pivots.
  void extend(double error);

  const std::vector<int>& pivots() const { return pivots_; }
  /// Least-squares coefficients of columns f in the pivot columns, [rank, columns]. @param pivot_columns [m,
  /// rank] of the original A
  /// @param f             [m, columns]
  Eigen::MatrixXcd interpolation(const Eigen::MatrixXcd& pivot_columns, const Eigen::MatrixXcd& f) const;

 private:
  int next_pivot() const;
  Eigen::VectorXcd new_direction(int pivot, Eigen::Index panel_begin, const Eigen::MatrixXcd& rows) const;

  Eigen::MatrixXcd a_, q_;  ///< q_ [m, most pivots]: the first rank columns are orthonormal
  Eigen::VectorXd norms_;   ///< squared norms of the remaining columns; -1: pivot
  double first_;            ///< norm of the longest column of A
  std::vector<int> pivots_;
};

}  // namespace curlew::ngim
