// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions on a mesh that is not the run's: of a pass, or for comparison.

#include <optional>

#include "ie/solved/surface_solve.hpp"
#include "job/job.hpp"

namespace curlew::ie {

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

  // ---- for job::Sampled ----
  linalg::SampledColumns columns(const SurfaceSolution& s);
  SurfaceSolution between(double frequency, std::vector<Complex> columns) const;
  linalg::SampledSolutions::Observed observed() const {
    return scattering_of(ports_, config_.reference_impedance);
  }
  bool keeps_full() const { return false; }

 private:
  mesh::Mesh mesh_;
  const SurfaceConfig& config_;
  std::vector<PortWeights> ports_;  // of the last full solution
  std::optional<job::Sampled<SurfaceSolution, SurfaceSweep>> sampled_;
};

}  // namespace curlew::ie
