// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of mom2d: echo widths of the same problem with every cell cut in two.

#include "job/problem.hpp"
#include "mom2d/solve.hpp"
#include "programs/mom2d/case.hpp"
#include "results/error_report.hpp"

namespace curlew::programs {

class Mom2dErrors : public job::Sink<mom2d::Solution> {
 public:
  /// @param config outlives this object
  Mom2dErrors(const Mom2dCase& config, run::Run& run);
  bool computes() const override { return true; }
  run::Carried* carried() override { return &report_; }
  /// Decides whether there will be an estimate.
  void plan(const job::Plan& plan) override;
  /// Estimates where it is asked for: at the middle one of the frequencies, or at all.
  void add(std::size_t number, double frequency, const mom2d::Solution& solution) override;
  void close() override;

 private:
  void estimate(double frequency, const mom2d::Solution& solution);

  const Mom2dCase& config_;
  run::Run& run_;
  results::ErrorReport report_;
  bool wanted_ = false;
};

}  // namespace curlew::programs
