// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of far fields of open problems in finite elements, those of [output] far_field.

#include <vector>

#include "fem/open/open_problem.hpp"
#include "programs/fem/maxwell_setup.hpp"
#include "programs/fem/planned_check.hpp"

namespace curlew::programs {

class OpenErrorOutput {
 public:
  /// Decides. @param setup, options, frequencies outlive this object @param problem analysed
  OpenErrorOutput(const MaxwellSetup& setup, const fem::DrivenOptions& options,
                  const std::vector<double>& frequencies, const fem::OpenProblem& problem,
                  const results::AccuracyRequest& request, run::Run& run);
  /// Estimates where it is asked for: at the middle one of the frequencies, or at all.
  void add(const fem::OpenProblem& problem, const fem::OpenSolution& solution);
  void close();
  const fem::CheckPrice& price() const { return planned_.price; }
  /// Frequencies that it is made at.
  double checks() const { return report_.all_frequencies() ? double(frequencies_.size()) : 1; }

 private:
  void estimate(const fem::OpenProblem& problem, const fem::OpenSolution& solution);

  const MaxwellSetup& setup_;
  const fem::DrivenOptions& options_;
  const std::vector<double>& frequencies_;
  run::Run& run_;
  results::ErrorReport report_;
  PlannedCheck planned_;
};

}  // namespace curlew::programs
