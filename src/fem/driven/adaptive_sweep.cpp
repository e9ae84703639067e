// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/adaptive_sweep.hpp"

#include <algorithm>
#include <utility>

#include "linalg/sampling/adaptive_sampling.hpp"

namespace curlew::fem {
namespace {

double difference(const Eigen::MatrixXcd& a, const Eigen::MatrixXcd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

class AdaptiveSweep final : public linalg::SampledModel {
 public:
  AdaptiveSweep(const MaxwellSystem& system, const std::vector<double>& frequencies,
                const FastSweepOptions& options, const std::function<DrivenSolution(double)>& solve,
                SweepModel& model)
      : frequencies_(frequencies), options_(options), solve_(solve), model_(model) {
    for (const double f : frequencies) modes_.push_back(system.mode_states(f));
  }

  std::size_t at_a_time() const override { return options_.begin ? 2 : 1; }
  void begin(const std::vector<std::size_t>& points) override {
    if (!options_.begin) return;
    std::vector<double> frequencies;
    for (const std::size_t i : points) frequencies.push_back(frequencies_[i]);
    options_.begin(frequencies);
  }
  double take(std::size_t i) override {
    const DrivenSolution solution = solve_(frequencies_[i]);
    if (options_.on_solution) options_.on_solution(solution);
    model_.add(solution);
    return at_.empty() ? 0 : difference(solution.scattering.s, at_[i].s);
  }
  double scan() override {
    const auto last = std::exchange(at_, std::vector<SweepModel::Estimate>(frequencies_.size()));
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < frequencies_.size(); ++i) at_[i] = model_.at(frequencies_[i], modes_[i]);
    double change = 0;
    for (std::size_t i = 0; i < last.size(); ++i) change = std::max(change, difference(at_[i].s, last[i].s));
    return change;
  }
  double indicator(std::size_t i) const override {
    return at_[i].indicator;
  }

  /// Solves the frequencies at which the model misses the tolerance.
  void solve_rest(linalg::Sampling& sampling) {
    for (std::size_t i = 0; i < frequencies_.size(); ++i) {
      if (std::ranges::find(sampling.taken, i) != sampling.taken.end()) continue;
      const DrivenSolution solution = solve_(frequencies_[i]);
      if (options_.on_solution) options_.on_solution(solution);
      at_[i].s = solution.scattering.s;
      sampling.taken.push_back(i);
    }
    sampling.error_estimate = 0, sampling.converged = true;
  }

  const std::vector<ModeState>& modes(std::size_t i) const {
    return modes_[i];
  }
  const Eigen::MatrixXcd& s(std::size_t i) const {
    return at_[i].s;
  }

 private:
  const std::vector<double>& frequencies_;
  const FastSweepOptions& options_;
  const std::function<DrivenSolution(double)>& solve_;
  SweepModel& model_;
  std::vector<std::vector<ModeState>> modes_;  // [frequencies]
  std::vector<SweepModel::Estimate> at_;       // [frequencies]
};

}  // namespace

FastSweepResult adaptive_sweep(const MaxwellSystem& system, const std::vector<double>& frequencies,
                               const FastSweepOptions& options,
                               const std::function<DrivenSolution(double)>& solve, SweepModel& model) {
  AdaptiveSweep sweep(system, frequencies, options, solve, model);
  auto sampling =
      linalg::sample_adaptively(sweep, frequencies, options.tolerance, std::size_t(options.max_solutions));
  if (!options.solves_the_rest)
    linalg::require_converged(sampling, options.tolerance);
  else if (!sampling.converged)
    sweep.solve_rest(sampling);
  FastSweepResult result;
  for (const std::size_t i : sampling.taken) result.solved.push_back(frequencies[i]);
  result.error_estimate = sampling.error_estimate, result.converged = sampling.converged;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    DrivenSolution solution;
    solution.frequency = frequencies[i];
    for (const Eigen::Index m : system.reported()) solution.modes.push_back(sweep.modes(i)[std::size_t(m)]);
    solution.scattering.s = sweep.s(i);
    result.solutions.push_back(std::move(solution));
  }
  return result;
}

}  // namespace curlew::fem
