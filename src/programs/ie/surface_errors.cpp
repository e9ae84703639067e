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
  errors_.decide(4L * system.num_unknowns(), 4, [&] {
    make_meshes();
    const auto finer = cost_on(finer_->mesh(), config_, run_);
    return moved_ ? finer + cost_on(moved_->mesh(), config_, run_) : finer;
  });
}

void SurfaceErrors::add(const SurfaceConfig& at, const SurfaceSolution& s) {
  if (!takes_passes_) return errors_.at(s.frequency, [&] { estimate(at, s); });
  if (const auto known = passes_.find(s.frequency); known != passes_.end())
    add_bars(at, s, outcome_of(at, s), known->second, errors_.report());
}

void SurfaceErrors::close() {
  takes_passes_ ? errors_.report().close("from the last two passes") : errors_.close();
}

void SurfaceErrors::estimate(const SurfaceConfig& c, const SurfaceSolution& solution) {
  make_meshes();
  const auto outcome_on = [&](SurfaceSweep& other) {
    const auto solved = errors_.report().all_frequencies() ? other.at(solution.frequency)
                                                           : other.solved_at(solution.frequency);
    return outcome_of(c, solved.solution);
  };
  const SurfaceOutcome before = outcome_of(c, solution), finer = outcome_on(*finer_),
                       moved = moved_ ? outcome_on(*moved_) : SurfaceOutcome();
  add_bars(c, solution, before, changes_of(before, finer, moved), errors_.report());
}

}  // namespace curlew::programs
