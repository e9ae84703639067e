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

  /// Takes further pivots until every column left is below `error` times the longest one of A, or none is
  /// left. What was taken stays: a smaller error costs the further pivots only.
  void extend(double error);

  const std::vector<int>& pivots() const { return pivots_; }
  /// Coefficients that make columns f out of the pivots' by least squares, [rank, columns].
  /// @param pivot_columns [m, rank] of A as it was
  /// @param f             [m, columns]
  Eigen::MatrixXcd interpolation(const Eigen::MatrixXcd& pivot_columns, const Eigen::MatrixXcd& f) const;

 private:
  int next_pivot() const;
  Eigen::VectorXcd new_direction(int pivot, Eigen::Index panel_begin, const Eigen::MatrixXcd& rows) const;

  Eigen::MatrixXcd a_, q_;  ///< q_ [m, most pivots]: the first rank columns are orthonormal
  Eigen::VectorXd norms_;   ///< squares of the lengths of the columns left; -1: taken
  double first_;            ///< of the longest column at the beginning
  std::vector<int> pivots_;
};

}  // namespace curlew::ngim
