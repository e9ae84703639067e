// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Frequencies at which adaptive passes over a band solve.

#include <optional>
#include <set>
#include <vector>

#include "fem/driven/adaptive_sweep.hpp"
#include "job/refinement.hpp"

namespace curlew::fem {

/// S is compared at all frequencies. Its error is estimated at the highest frequency (cells are largest in
/// wavelengths), where S changes fastest, where the bar of the previous pass was widest, and at the steepest
/// frequency not yet solved in any pass: this confirms convergence where the mesh was not refined for.
class BandPasses {
 public:
  /// Looks at all that [refinement] states; else at some of those of [frequency] that are solved.
  BandPasses(const job::Refinement& refinement, const io::Config& config);

  const std::vector<double>& frequencies() const { return frequencies_; }
  bool is_stated() const { return is_stated_; }
  /// @returns indices, ascending
  std::vector<std::size_t> choose(const std::vector<DrivenSolution>& solutions);
  /// @param each quantities of one frequency
  void look_back(const mesh::Pass& pass, std::size_t each);

 private:
  std::vector<double> frequencies_;  // [Hz] ascending
  bool is_stated_;
  std::set<std::size_t> seen_;
  std::optional<std::size_t> worst_;
};

}  // namespace curlew::fem
