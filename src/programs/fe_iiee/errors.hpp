// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of far fields, radar cross-sections, radiated powers and S of fe-iiee.

#include "programs/fe_iiee/output.hpp"
#include "results/error_report.hpp"
#include "truncation/result_error.hpp"

namespace curlew::fe_iiee {

class ErrorOutput {
 public:
  /// @param setup outlives this object
  ErrorOutput(const Setup& setup, const results::AccuracyRequest& request, run::Run& run);
  /// Estimates where it is asked for: at the middle one of the frequencies, or at all.
  void add(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
           const Drive& drive);
  void close();

 private:
  void estimate(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
                const Drive& drive);
  void add_scattering(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
                      const Drive& drive, const std::vector<truncation::ResultError>& bars);

  const Setup& setup_;
  run::Run& run_;
  results::ErrorReport report_;
  bool wanted_ = false, has_shape_ = false;
};

}  // namespace curlew::fe_iiee
