// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of far fields, radar cross-sections, radiated powers and S of fe-iiee.

#include "programs/fe_iiee/output.hpp"
#include "results/error_report.hpp"
#include "truncation/result_error.hpp"

namespace curlew::fe_iiee {

class ErrorOutput {
 public:
  /// Decides. @param setup outlives this object @param problem analysed
  ErrorOutput(const Setup& setup, const TruncatedProblem& problem, const results::AccuracyRequest& request,
              run::Run& run);
  /// Estimates where it is asked for: at the middle one of the frequencies, or at all.
  void add(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
           const Drive& drive);
  void close();
  run::Carried& report() { return report_; }
  /// No systems: there is no estimate.
  const fem::CheckPrice& price() const { return price_; }
  /// Frequencies that it is made at.
  double checks() const { return report_.all_frequencies() ? double(setup_.sweep.written.size()) : 1; }

 private:
  void estimate(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
                const Drive& drive);
  /// S of ports from the residuals in functions of the next order, on the solution that is there.
  void estimate_by_residuals(double frequency, const TruncatedProblem& problem,
                             const TruncationResult& result, const Drive& drive);
  Eigen::MatrixXcd scattering(const TruncatedProblem& problem, const TruncationResult& result,
                              const Drive& drive, Eigen::Index count) const;
  void add_scattering(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
                      const Drive& drive, const std::vector<truncation::ResultError>& bars);

  const Setup& setup_;
  run::Run& run_;
  results::ErrorReport report_;
  bool has_shape_ = false;
  bool by_residuals_ = false;  ///< where solving again is too dear
  fem::CheckPrice price_;
};

}  // namespace curlew::fe_iiee
