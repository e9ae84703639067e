// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Frequencies at which adaptive passes over a band solve.

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "fem/driven/adaptive_sweep.hpp"
#include "job/refinement.hpp"

namespace curlew::fem {

/// S is compared at all frequencies. Its error is estimated where S changes fastest, at the highest frequency
/// (cells are largest in wavelengths), where the bar of the previous pass was widest, and at the steepest
/// frequency not yet solved in any pass: this confirms convergence where the mesh was not refined for. A pass
/// that has not converged by the first two estimates does without the others.
class BandPasses {
 public:
  /// Looks at all that [refinement] states; else at some of those of [frequency] that are solved.
  BandPasses(const job::Refinement& refinement, const io::Config& config);

  const std::vector<double>& frequencies() const { return frequencies_; }
  bool is_stated() const { return is_stated_; }
  /// Begins the pass after others.
  void begin(const std::vector<job::Row>& before);
  /// @returns indices, the most important first
  std::vector<std::size_t> choose(const std::vector<DrivenSolution>& solutions) const;
  /// Whether a pass needs further estimates. @param done number of frequencies that have one
  bool needs_more(const mesh::Pass& pass, std::size_t done) const;
  /// Allowed error of S between full solutions: small against the tolerance, or against the error that the
  /// pass will have at least: passes seldom reduce errors to less than a quarter.
  double model_tolerance() const { return 0.1 * std::max(tolerance_, greatest_ / 4); }
  /// Adds results that are estimated only in a pass whose other results may have converged.
  void add_late(mesh::Pass& pass, const std::function<void()>& add) const;

 private:
  /// Whether no estimate of a pass shows that another one must follow, or none may follow.
  bool may_be_last(const mesh::Pass& pass) const;

  std::vector<double> frequencies_;  // [Hz] ascending
  bool is_stated_;
  double tolerance_;
  int max_passes_;
  int left_ = 0;         // passes that may follow
  double greatest_ = 0;  // estimate of the last pass
  std::set<std::size_t> seen_;
  std::optional<std::size_t> worst_;
};

}  // namespace curlew::fem
