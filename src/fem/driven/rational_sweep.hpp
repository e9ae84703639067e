// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A rational interpolant of S through full solutions, for systems that are no short sum of terms in f:
//   S(f) = Σ q_j S_j / (f - f_j) / Q(f),   Q(f) = Σ q_j / (f - f_j),
// with the q of unit length for which the fields Σ q_j x_j nearly cancel. Poles of the fields are roots of Q
// then: with m solutions up to m - 1 of them are met, and the error between the solutions goes as 1/|Q|.
// Source: Pradovera (2020), SIAM J. Numer. Anal. 58(4), minimal rational interpolation; the indicator:
// Pradovera and Nobile (2022), SIAM J. Sci. Comput. 44(2). Fields are sketched.

#include <vector>

#include "fem/driven/adaptive_sweep.hpp"

namespace curlew::fem {

class RationalModel : public SweepModel {
 public:
  void add(const DrivenSolution& solution) override;
  Estimate at(double frequency, const std::vector<ModeState>& modes) const override;

 private:
  std::vector<double> frequencies_;  // [solutions] [Hz]
  std::vector<Eigen::MatrixXcd> s_;  // [solutions]
  Eigen::MatrixXcd fields_;          // [sketched unknowns of all modes, solutions]
  Eigen::VectorXcd weights_;         // [solutions] q
};

}  // namespace curlew::fem
