// SPDX-License-Identifier: BSD-3-Clause
#include "ie/solved/surface_sweep.hpp"

#include <algorithm>
#include <atomic>
#include <exception>

#include "base/error.hpp"
#include "base/threads.hpp"

namespace curlew::ie {

bool KnownColumns::are_those_of(const SurfaceMesh& on, const Accuracy& accuracy,
                                const SolveOptions& by) const {
  return mesh.triangles == on.triangles && mesh.nodes == on.nodes && accuracy == Accuracy() &&
         solver.direct == by.direct && solver.precision == by.precision &&
         solver.accelerated == by.accelerated && solver.acceleration_tolerance == by.acceleration_tolerance &&
         solver.krylov.tolerance == by.krylov.tolerance &&
         solver.compression_tolerance == by.compression_tolerance;
}

linalg::SampledColumns SurfaceSweep::columns(const SurfaceSolution& s) {
  ports_ = s.ports;
  reports_[s.frequency] = s.report;
  auto columns = columns_of(s);
  radiation_.take(columns.x);
  return columns;
}

SurfaceSolution SurfaceSweep::between(double frequency, std::vector<Complex> columns) const {
  auto found = begin_surface(config_, frequency, problems_.system_at(frequency), ports_);
  take_columns(config_, std::move(columns), found);
  return found;
}

KnownColumns SurfaceSweep::full() const {
  KnownColumns known{problems_.mesh()};
  if (!sampled_) return known;
  known.solver = chosen_->solver;
  const auto& between = sampled_->between();
  for (const std::size_t i : between.sampling().taken) {
    const double f = config_.frequencies[i];
    known.at.emplace(f, KnownColumns::Solved{between.at(i), reports_.at(f)});
  }
  return known;
}

std::size_t SurfaceSweep::bytes() const {
  const std::size_t columns =
      std::size_t(num_right_hand_sides(config_)) + config_.ports.size() + (config_.drive.empty() ? 0 : 1);
  const auto n = std::size_t(problems_.system_at(config_.frequencies.back())->num_unknowns());
  // Full solutions of the sweep, of its radiation and of full().
  const std::size_t held =
      sampled_ ? 3 * sampled_->between().sampling().taken.size() + std::size_t(num_threads()) : 1;
  return near_bytes_ + sizeof(Complex) * n * columns * held;
}

bool SurfaceSweep::samples() {
  if (config_.adaptive && !chosen_)
    choose_solver(*problems_.system_at(config_.frequencies.back()), chosen_.emplace(config_));
  return chosen_ && can_sample(*chosen_);
}

void SurfaceSweep::sample() {
  if (sampled_) return;
  const auto& all = config_.frequencies;
  const auto highest = problems_.system_at(all.back());
  near_bytes_ = near_series_bytes(*chosen_, *highest);
  if (near_bytes_ > 0) near_.emplace(*highest);
  shared_ = config_;
  shared_->solver.kept_factors = std::make_shared<linalg::KeptLu>();
  sampled_.emplace(*this, all, [this, &all](std::size_t i) {
    return std::make_shared<SurfaceSolution>(solved_at(all[i]));
  });
  sampled_->between().sample(config_.adaptive->tolerance, std::size_t(config_.adaptive->max_solutions));
}

SurfaceSolution SurfaceSweep::at(double frequency) {
  const auto& all = config_.frequencies;
  const auto number = std::size_t(std::ranges::find(all, frequency) - all.begin());
  if (number == all.size() || !samples()) return solved_at(frequency);
  sample();
  return std::move(*sampled_->at(number));
}

void SurfaceSweep::each(std::span<const double> frequencies,
                        const std::function<void(std::size_t, const SurfaceSolution&)>& visit) {
  const auto& all = config_.frequencies;
  bool is_known =
      std::ranges::all_of(frequencies, [&](double f) { return std::ranges::binary_search(all, f); });
  is_known = is_known && samples();
  if (is_known) sample(), is_known = sampled_->between().sampling().converged;
  std::exception_ptr failure;
  std::atomic<bool> has_failed = false;
#pragma omp parallel for schedule(dynamic) num_threads(is_known ? num_threads() : 1)
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    if (has_failed || is_interrupted()) continue;
    try {
      visit(i, at(frequencies[i]));
    } catch (...) {
#pragma omp critical
      failure = std::current_exception(), has_failed = true;
    }
  }
  if (failure) std::rethrow_exception(failure);
  check_interrupt();
}

}  // namespace curlew::ie
