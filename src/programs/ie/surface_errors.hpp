// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of the surface equations: cross-sections, patterns, gains, S and impedances.

#include <optional>

#include "programs/ie/errors.hpp"
#include "programs/ie/surface_solve.hpp"

namespace curlew::programs {

class SurfaceErrors {
 public:
  /// @param mesh as it was given, not straightened @note all arguments outlive this object
  SurfaceErrors(const results::AccuracyRequest& request, const mesh::Mesh& mesh, const SurfaceConfig& config,
                run::Run& run)
      : given_(mesh), config_(config), run_(run), errors_(request, config, run) {}
  /// Asked before the first frequency, when the run's own memory is planned.
  void decide(const ie::System& system);
  bool are_wanted() const { return errors_.is_wanted(); }
  /// @param at the config of this frequency
  void add(const SurfaceConfig& at, const SurfaceSolution& solution) {
    errors_.at(solution.frequency, [&] { estimate(at, solution); });
  }
  void close() { errors_.close(); }
  run::Carried& report() { return errors_.report(); }

 private:
  void make_meshes();
  SolveCost cost_on(const mesh::Mesh& mesh) const;
  void estimate(const SurfaceConfig& at, const SurfaceSolution& solution);

  const mesh::Mesh& given_;
  const SurfaceConfig& config_;
  run::Run& run_;
  IeErrors errors_;
  std::optional<mesh::Mesh> finer_, moved_;  // moved_ only of curved surfaces
};

}  // namespace curlew::programs
