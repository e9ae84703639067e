// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of mom2d: echo widths of the same problem with every cell cut in two.

#include "mom2d/solve.hpp"
#include "programs/mom2d/config.hpp"
#include "results/error_report.hpp"

namespace curlew::programs {

/// Times the unknowns of the run that the estimate has.
inline constexpr int halved_growth = 2;

class Mom2dErrors {
 public:
  /// @param config outlives this object
  Mom2dErrors(const results::AccuracyRequest& request, const Mom2dConfig& config, run::Run& run);
  /// Asked before the first frequency, when the run's own memory is planned, in dry runs too.
  /// @param unknowns of the run's largest system
  void decide(long unknowns);
  bool is_wanted() const { return wanted_; }
  /// Frequencies that it is made at.
  double checks() const { return report_.all_frequencies() ? double(config_.frequencies.size()) : 1; }
  /// Estimates where it is asked for: at the middle one of the frequencies, or at all.
  void add(double frequency, const mom2d::Solution& solution);
  void close();

 private:
  void estimate(double frequency, const mom2d::Solution& solution);

  const Mom2dConfig& config_;
  run::Run& run_;
  results::ErrorReport report_;
  bool wanted_ = false;
};

}  // namespace curlew::programs
