// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A rational interpolant of quantities that are linear in a field x(f), through values at f_j:
//   x(f) = Σ q_j x_j / (f - f_j) / Q(f),   Q(f) = Σ q_j / (f - f_j),
// with the q of unit length for which the fields Σ q_j x_j nearly cancel. Poles of the fields are then roots
// of Q: m values determine up to m - 1 of them, and the error between the values is proportional to 1/|Q|.
// Source: Pradovera (2020), SIAM J. Numer. Anal. 58(4), minimal rational interpolation; the indicator:
// Pradovera and Nobile (2022), SIAM J. Sci. Comput. 44(2).

#include <Eigen/Core>
#include <vector>

namespace curlew::linalg {

class RationalInterpolant {
 public:
  /// @param field x at this point, or a random sketch that nearly preserves norms [same length each time]
  void add(double point, const Eigen::VectorXcd& field);

  struct Weights {
    Eigen::VectorXcd of_values;  ///< [values] weights of the values, with sum 1
    double indicator;            ///< of the error, up to a factor that is the same at all points
  };
  Weights at(double point) const;

 private:
  std::vector<double> points_;  // [values]
  Eigen::MatrixXcd fields_;     // [length, values]
  Eigen::VectorXcd q_;          // [values]
};

}  // namespace curlew::linalg
