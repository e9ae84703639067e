// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars and adaptive passes of volumes and films. One solution bounds its error
// (ie/mixed_potential/far_field_error.hpp); after passes the change between two of them, which falls at the
// rate of the bounds, estimates it more closely.

#include <map>

#include "fields/pattern_error.hpp"
#include "ie/solved/mixed_potential.hpp"
#include "job/error_sink.hpp"

namespace curlew::ie {

/// Changes of the far fields that are left after the last pass, by frequency [Hz].
using FarFieldChanges = std::map<double, fields::Changes>;

/// Bars of cross-sections at every frequency.
class MixedPotentialErrors : public job::ErrorSink<MixedPotentialSolution> {
 public:
  /// @param passes empty: there were none @note all arguments outlive this object
  MixedPotentialErrors(const MixedPotentialConfig& config, const MixedPotentialProblem& problem,
                       const FarFieldChanges& passes, run::Run& run);
  void add(std::size_t number, double frequency, const MixedPotentialSolution& s) override;
  void close() override;

 private:
  std::string how() const override;
  void estimate(double frequency, const MixedPotentialSolution& s) override;

  const MixedPotentialConfig& case_;
  const MixedPotentialProblem& problem_;
  const FarFieldChanges& passes_;
};

struct RefinedBodies {
  mesh::Mesh mesh;           ///< of the last pass
  FarFieldChanges passes{};  ///< of its results
};
/// @param config with refinement @param first the mesh as read
RefinedBodies refine_bodies(const io::Config& document, const MixedPotentialConfig& config,
                            const ProblemOn& on, mesh::Mesh first, run::Run& run);

}  // namespace curlew::ie
