// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of the surface equations: cross-sections, patterns, gains, S and impedances.

#include <map>
#include <optional>

#include "job/error_sink.hpp"
#include "programs/ie/errors.hpp"
#include "programs/ie/surface_outcome.hpp"
#include "programs/ie/surface_problem.hpp"
#include "programs/ie/surface_sweep.hpp"

namespace curlew::programs {

/// Changes between the last two passes, by frequency [Hz].
using PassBars = std::map<double, SurfaceChanges>;

class SurfaceErrors : public job::ErrorSink<SurfaceSolution> {
 public:
  /// @param mesh as read, not straightened @param passes empty: there were no adaptive passes
  /// @note all arguments outlive this object
  SurfaceErrors(const mesh::Mesh& mesh, SurfaceProblem& problem, const PassBars& passes, run::Run& run);
  void plan(const job::Plan& plan) override;

 private:
  std::string how() const override { return halved; }
  bool has_passes() const override { return takes_passes_; }
  void take_passes(double frequency, const SurfaceSolution& s) override;
  void make_meshes();
  void estimate(double frequency, const SurfaceSolution& s) override;

  const mesh::Mesh& given_;
  SurfaceProblem& problem_;
  const SurfaceConfig& config_;
  const PassBars& passes_;
  bool takes_passes_;
  std::optional<SurfaceSweep> finer_, moved_;  // moved_ only of curved surfaces
};

}  // namespace curlew::programs
