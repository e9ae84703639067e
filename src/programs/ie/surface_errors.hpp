// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of the surface equations: cross-sections, patterns, gains, S and impedances.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "programs/ie/errors.hpp"
#include "programs/ie/surface_solve.hpp"

namespace curlew::programs {

class SurfaceErrors {
 public:
  /// @param mesh as it was given, not straightened @note all arguments outlive this object
  /// @param config_at that of a frequency [Hz]
  SurfaceErrors(const results::AccuracyRequest& request, const mesh::Mesh& mesh, const SurfaceConfig& config,
                run::Run& run, std::function<SurfaceConfig(double)> config_at)
      : given_(mesh),
        config_(config),
        run_(run),
        config_at_(std::move(config_at)),
        errors_(request, config, run) {}
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
  /// A mesh to compare with, and its solutions at all frequencies where the run has an adaptive sweep.
  struct Other {
    mesh::Mesh mesh;
    std::vector<ie::PortWeights> ports{};  // of the last full solution
    std::unique_ptr<linalg::SampledSolutions> between{};
  };
  void make_meshes();
  void sample(Other& other);
  /// As the run's, at the frequency of that config.
  SolvedSurface solution_on(Other& other, const SurfaceConfig& at, double frequency);
  SolveCost cost_on(const mesh::Mesh& mesh) const;
  void estimate(const SurfaceConfig& at, const SurfaceSolution& solution);

  const mesh::Mesh& given_;
  const SurfaceConfig& config_;
  run::Run& run_;
  std::function<SurfaceConfig(double)> config_at_;
  IeErrors errors_;
  std::optional<Other> finer_, moved_;  // moved_ only of curved surfaces
};

}  // namespace curlew::programs
