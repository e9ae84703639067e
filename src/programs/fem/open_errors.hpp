// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of far fields of open problems in finite elements, those of [output] far_field.

#include <optional>
#include <vector>

#include "fem/error/shape_variant.hpp"
#include "fem/open/open_problem.hpp"
#include "programs/fem/maxwell_setup.hpp"
#include "results/error_report.hpp"

namespace curlew::programs {

class OpenErrorOutput {
 public:
  /// @param setup, options, frequencies outlive this object
  OpenErrorOutput(const MaxwellSetup& setup, const fem::DrivenOptions& options,
                  const std::vector<double>& frequencies, const results::AccuracyRequest& request,
                  run::Run& run);
  /// Estimates where it is asked for: at the middle one of the frequencies, or at all.
  void add(const fem::OpenProblem& problem, const fem::OpenSolution& solution);
  void close();
  /// In solutions of one frequency; 0 without an estimate.
  double price() const { return price_; }

 private:
  void estimate(const fem::OpenProblem& problem, const fem::OpenSolution& solution);

  const MaxwellSetup& setup_;
  const fem::DrivenOptions& options_;
  const std::vector<double>& frequencies_;
  run::Run& run_;
  results::ErrorReport report_;
  std::optional<fem::ShapeVariant> shape_;
  bool wanted_ = false;
  double price_ = 0;
};

}  // namespace curlew::programs
