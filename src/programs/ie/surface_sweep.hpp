// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions on a mesh that is not the run's: of a pass, or one to compare with.

#include <memory>

#include "programs/ie/surface_solve.hpp"

namespace curlew::programs {

class SurfaceSweep {
 public:
  /// @param mesh straight @param config outlives this object
  SurfaceSweep(mesh::Mesh mesh, const SurfaceConfig& config) : mesh_(std::move(mesh)), config_(config) {}
  const mesh::Mesh& mesh() const { return mesh_; }
  /// Found between full solutions at a few of the run's frequencies where the run has an adaptive sweep, and
  /// solved elsewhere. @throws NumericalError if the iteration does not converge
  SurfaceSolution at(double frequency);
  /// Solved in any case.
  SurfaceSolution solved_at(double frequency) const { return solve_surface(mesh_, config_, frequency); }

 private:
  void sample();

  mesh::Mesh mesh_;
  const SurfaceConfig& config_;
  std::vector<ie::PortWeights> ports_;  // of the last full solution
  std::unique_ptr<linalg::SampledSolutions> between_;
};

}  // namespace curlew::programs
