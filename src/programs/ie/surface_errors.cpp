// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_errors.hpp"

#include "mesh/refine.hpp"

namespace curlew::programs {

void SurfaceErrors::make_meshes() {
  if (finer_) return;
  finer_.emplace(mesh::refined_flat(given_), config_, config_at_);
  if (auto moved = mesh::moved_flat(given_)) moved_.emplace(std::move(*moved), config_, config_at_);
}

void SurfaceErrors::decide(const ie::System& system) {
  if (takes_passes_) return;
  const auto cost = [&] {
    make_meshes();
    const auto finer = cost_on(finer_->mesh(), config_, run_);
    return moved_ ? finer + cost_on(moved_->mesh(), config_, run_) : finer;
  };
  is_wanted_ = is_estimate_wanted(config_, 4L * system.num_unknowns(), 4, cost, report_, run_);
}

void SurfaceErrors::add(const SurfaceConfig& at, const SurfaceSolution& s) {
  const auto& all = config_.frequencies;
  if (is_wanted_) report_.attempt_at(config_.number_of(s.frequency), all.size(), [&] { estimate(at, s); });
  if (!takes_passes_) return;
  if (const auto known = passes_.find(s.frequency); known != passes_.end())
    add_bars(at, s, outcome_of(at, s), known->second, report_);
}

void SurfaceErrors::close() {
  takes_passes_ ? report_.close("from the last two passes")
                : report_.close(halved, config_.frequencies.size());
}

void SurfaceErrors::estimate(const SurfaceConfig& c, const SurfaceSolution& solution) {
  make_meshes();
  const auto outcome_on = [&](SurfaceSweep& other) {
    const auto solved =
        report_.all_frequencies() ? other.at(solution.frequency) : other.solved_at(solution.frequency);
    return outcome_of(c, solved.solution);
  };
  const SurfaceOutcome before = outcome_of(c, solution), finer = outcome_on(*finer_),
                       moved = moved_ ? outcome_on(*moved_) : SurfaceOutcome();
  add_bars(c, solution, before, changes_of(before, finer, moved), report_);
}

}  // namespace curlew::programs
