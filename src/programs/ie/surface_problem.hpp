// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The surface equations of a config on the mesh of a run, at one frequency after another.

#include <memory>
#include <optional>
#include <vector>

#include "ie/solved/surface_sweep.hpp"
#include "job/job.hpp"

namespace curlew::programs {

/// The config with the waves that derivatives need after its own.
ie::SurfaceConfig with_duals(ie::SurfaceConfig config);

class SurfaceProblem : public job::SampledProblem<ie::SurfaceSolution> {
 public:
  /// @param mesh straight @param is_refined there were passes, or of a dry run there would be
  /// @throws InputError for all that is wrong with a config, before any work
  SurfaceProblem(const io::Config& document, const mesh::Mesh& mesh, ie::SurfaceConfig config,
                 bool is_refined, run::Run& run);
  /// The config with the chosen solver, and with the adaptive sweep if there is one.
  const ie::SurfaceConfig& config() const { return config_; }
  std::shared_ptr<const ie::System> system_at(double frequency) const {
    return problems_.system_at(frequency, accuracy_);
  }
  /// Solutions of the passes, which are not solved again on the same mesh.
  void take(ie::KnownColumns known);
  /// Called by sinks that use currents, while they plan: otherwise they may be dropped.
  void need_currents() { drops_ = false; }

  job::Plan plan(run::Run& run) override;
  const char* stage() const override { return "fill and solve"; }
  void keep_in(const run::FrequencySweep& sweep) override;
  ie::SurfaceSolution solve(double frequency) override;
  ie::SurfaceSolution unsolved(double frequency) override;
  job::Arrays arrays(ie::SurfaceSolution& s) const override;
  bool is_written_first() const override { return true; }
  const ProcessGroup* processes() const override;
  linalg::SampledColumns columns(const ie::SurfaceSolution& s) const override {
    auto columns = ie::columns_of(s);
    radiation_.take(columns.x);
    return columns;
  }
  /// Fields radiated by dipoles and ports.
  ie::RadiatedFields radiated(const ie::SurfaceSolution& s) const { return radiation_.of(s, run_.device()); }
  ie::SurfaceSolution between(double frequency, const std::vector<Complex>& columns) override;
  linalg::SampledSolutions::Observed observed() const override {
    return ie::scattering_of(ports_, config_.reference_impedance);
  }
  bool keeps_full() const override { return false; }

 private:
  void choose_rules(const ie::System& finest);
  void decide_adaptive(const io::Config& document, const ie::System& system);
  void state_equation(run::Run& run) const;
  std::shared_ptr<const ie::System> highest() const;
  void plan_near_series(run::Run& run);
  void check_scenes(run::Run& run) const;
  ie::SurfaceSolution begin(double frequency);
  ie::SurfaceSolution take(double frequency, const ie::KnownColumns::Solved& known);

  ie::SurfaceConfig config_, solved_;  // solved_: with the waves that derivatives need
  bool is_refined_;
  run::Run& run_;
  ie::SurfaceProblems problems_;
  ie::Accuracy accuracy_;
  bool drops_ = false, has_near_series_ = false;
  std::optional<ie::NearSeries> near_series_;
  ie::KnownColumns known_;
  int taken_ = 0;  // of these
  mutable ie::SweepRadiation radiation_{config_};
  std::vector<ie::PortWeights> ports_;  // of the last solution
  const run::FrequencySweep* sweep_ = nullptr;
};

}  // namespace curlew::programs
