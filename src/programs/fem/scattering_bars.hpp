// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of S in the table and the summary of a driven run.

#include <map>
#include <vector>

#include "fem/error/scattering_error.hpp"
#include "programs/fem/accuracy.hpp"
#include "run/run.hpp"

namespace curlew::programs {

class ScatteringBars {
 public:
  /// Estimates at some of the frequencies of a sweep and notes the bars.
  ScatteringBars(const fem::DrivenProblem& problem, const fem::DrivenOptions& options,
                 const std::vector<fem::DrivenSolution>& solutions, Accuracy& accuracy);

  /// "s1_1_error", ... into the row of a frequency that has bars.
  void add_to(run::Value& row, double frequency) const;
  /// The bar of |S_i1| in dB, "-" where there is none.
  std::string cell(const fem::DrivenSolution& solution, Eigen::Index i) const;

 private:
  std::map<double, fem::ScatteringError> errors_;  // by frequency
};

}  // namespace curlew::programs
