// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_errors.hpp"

#include "mesh/refine.hpp"

namespace curlew::programs {

SurfaceErrors::SurfaceErrors(const mesh::Mesh& mesh, SurfaceProblem& problem, const ie::PassBars& passes,
                             bool are_to_come, run::Run& run)
    : ErrorSink(problem.config().accuracy, problem.config().frequencies.size(), run, ie::smaller_elements),
      given_(mesh),
      problem_(problem),
      config_(problem.config()),
      passes_(passes),
      takes_passes_((!passes.empty() || are_to_come) && report_.is_free()) {}

void SurfaceErrors::make_meshes() {
  if (finer_) return;
  finer_.emplace(mesh::refined_flat(given_), config_);
  if (auto moved = mesh::moved_flat(given_)) moved_.emplace(std::move(*moved), config_);
}

void SurfaceErrors::plan(const job::Plan& plan) {
  const auto cost = [&] {
    make_meshes();
    const auto finer = ie::cost_on(finer_->problems(), config_, run_);
    return moved_ ? finer + ie::cost_on(moved_->problems(), config_, run_) : finer;
  };
  is_wanted_ = !takes_passes_ && ie::is_estimate_wanted(config_, 4 * plan.unknowns, 4, cost, report_, run_);
  if (is_wanted_ || takes_passes_) problem_.need_currents();
}

void SurfaceErrors::take_passes(double frequency, const ie::SurfaceSolution& s) {
  if (const auto known = passes_.find(frequency); known != passes_.end())
    ie::add_bars(config_, s, ie::outcome_of(config_, s, problem_.radiated(s)), known->second, report_);
}

void SurfaceErrors::estimate(double frequency, const ie::SurfaceSolution& s) {
  make_meshes();
  const auto outcome_on = [&](ie::SurfaceSweep& other) {
    const auto found = report_.all_frequencies() ? other.at(frequency) : other.solved_at(frequency);
    return ie::outcome_of(config_, found, other.radiated(found));
  };
  const ie::SurfaceOutcome before = ie::outcome_of(config_, s, problem_.radiated(s)),
                           finer = outcome_on(*finer_),
                           moved = moved_ ? outcome_on(*moved_) : ie::SurfaceOutcome();
  ie::add_bars(config_, s, before, ie::changes_of(before, finer, moved), report_);
}

}  // namespace curlew::programs
