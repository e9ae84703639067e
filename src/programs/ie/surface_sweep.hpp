// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions on a mesh that is not the run's: of a pass, or for comparison.

#include <functional>
#include <memory>
#include <optional>

#include "programs/ie/surface_solve.hpp"

namespace curlew::programs {

/// The config at a frequency [Hz], on which loads of ports depend.
using SurfaceConfigAt = std::function<SurfaceConfig(double)>;

class SurfaceSweep {
 public:
  /// @param mesh straight @param config outlives this object
  SurfaceSweep(mesh::Mesh mesh, const SurfaceConfig& config, SurfaceConfigAt config_at)
      : mesh_(std::move(mesh)), config_(config), config_at_(std::move(config_at)) {}
  const mesh::Mesh& mesh() const { return mesh_; }
  /// If the run has an adaptive sweep: interpolated between full solutions at a few frequencies; else solved.
  /// @throws NumericalError if the iteration does not converge
  SolvedSurface at(double frequency);
  /// Always a full solution.
  SolvedSurface solved_at(double frequency) const {
    return solve_surface(mesh_, config_at_(frequency), frequency);
  }

 private:
  void sample();

  mesh::Mesh mesh_;
  const SurfaceConfig& config_;
  SurfaceConfigAt config_at_;
  std::vector<ie::PortWeights> ports_;  // of the last full solution
  std::unique_ptr<linalg::SampledSolutions> between_;
};

}  // namespace curlew::programs
