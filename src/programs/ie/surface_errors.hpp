// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of the surface equations: cross-sections, patterns, gains, S and impedances.

#include <map>
#include <optional>

#include "programs/ie/errors.hpp"
#include "programs/ie/surface_outcome.hpp"
#include "programs/ie/surface_sweep.hpp"

namespace curlew::programs {

/// Changes between the last two passes, by frequency [Hz].
using PassBars = std::map<double, SurfaceChanges>;

class SurfaceErrors {
 public:
  /// @param mesh as read, not straightened @param passes empty: there were no adaptive passes
  /// @note all arguments outlive this object
  SurfaceErrors(const results::AccuracyRequest& request, const mesh::Mesh& mesh, const SurfaceConfig& config,
                const PassBars& passes, run::Run& run, SurfaceConfigAt config_at)
      : given_(mesh),
        config_(config),
        passes_(passes),
        takes_passes_(!passes.empty() && request.estimate == results::Estimate::automatic),
        run_(run),
        config_at_(std::move(config_at)),
        report_(request, run, smaller_elements) {}
  /// Decides on an estimate before the first frequency, when the run's own memory is planned.
  void decide(const ie::System& system);
  bool are_wanted() const { return takes_passes_ || is_wanted_; }
  /// @param at config at this frequency
  void add(const SurfaceConfig& at, const SurfaceSolution& solution);
  void close();
  run::Carried& report() { return report_; }

 private:
  void make_meshes();
  void estimate(const SurfaceConfig& at, const SurfaceSolution& solution);

  const mesh::Mesh& given_;
  const SurfaceConfig& config_;
  const PassBars& passes_;
  bool takes_passes_;
  run::Run& run_;
  SurfaceConfigAt config_at_;
  results::ErrorReport report_;
  bool is_wanted_ = false;
  std::optional<SurfaceSweep> finer_, moved_;  // moved_ only for curved surfaces
};

}  // namespace curlew::programs
