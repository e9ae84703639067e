// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A rational interpolant of S through full solutions (linalg/sampling/rational_interpolant.hpp), for systems
// that are no short sum of terms in f. Fields are sketched.

#include <vector>

#include "fem/driven/adaptive_sweep.hpp"
#include "linalg/sampling/rational_interpolant.hpp"

namespace curlew::fem {

class RationalModel : public SweepModel {
 public:
  void add(const DrivenSolution& solution) override;
  Estimate at(double frequency, const std::vector<ModeState>& modes) const override;

 private:
  std::vector<Eigen::MatrixXcd> s_;  // [solutions]
  linalg::RationalInterpolant between_;
};

}  // namespace curlew::fem
