// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A rational interpolant of S through full solutions (linalg/sampling/rational_interpolant.hpp), for systems
// that are not a sum of a few terms in f. Fields enter as random sketches.

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
