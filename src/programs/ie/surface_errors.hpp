// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of the surface equations: cross-sections, patterns, gains, S and impedances.

#include <map>
#include <optional>

#include "ie/passes/errors.hpp"
#include "ie/passes/surface_outcome.hpp"
#include "ie/solved/surface_sweep.hpp"
#include "job/error_sink.hpp"
#include "programs/ie/surface_problem.hpp"

namespace curlew::programs {

class SurfaceErrors : public job::ErrorSink<ie::SurfaceSolution> {
 public:
  /// @param mesh as read, not straightened @param passes empty: there were no adaptive passes
  /// @param are_to_come a dry run, whose passes make the bars @note all arguments outlive this object
  SurfaceErrors(const mesh::Mesh& mesh, SurfaceProblem& problem, const ie::PassBars& passes, bool are_to_come,
                run::Run& run);
  void plan(const job::Plan& plan) override;

 private:
  std::string how() const override { return ie::halved; }
  bool has_passes() const override { return takes_passes_; }
  void take_passes(double frequency, const ie::SurfaceSolution& s) override;
  void make_meshes();
  void estimate(double frequency, const ie::SurfaceSolution& s) override;

  const mesh::Mesh& given_;
  SurfaceProblem& problem_;
  const ie::SurfaceConfig& config_;
  const ie::PassBars& passes_;
  bool takes_passes_;
  std::optional<ie::SurfaceSweep> finer_, moved_;  // moved_ only of curved surfaces
};

}  // namespace curlew::programs
