// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/adaptive_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"

namespace curlew::fem {
namespace {

double difference(const Eigen::MatrixXcd& a, const Eigen::MatrixXcd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

class AdaptiveSweep {
 public:
  AdaptiveSweep(const MaxwellSystem& system, const std::vector<double>& frequencies,
                const FastSweepOptions& options, const std::function<DrivenSolution(double)>& solve,
                SweepModel& model)
      : frequencies_(frequencies),
        options_(options),
        solve_(solve),
        model_(model),
        is_solved_(frequencies.size(), false) {
    for (const double f : frequencies) modes_.push_back(system.mode_states(f));
  }

  FastSweepResult run() {
    const auto [low, high] = std::minmax_element(frequencies_.begin(), frequencies_.end());
    take(std::size_t(low - frequencies_.begin()));
    if (low != high) take(std::size_t(high - frequencies_.begin()));
    scan();
    int good = 0;
    // Twice in a row: one lucky point is not convergence.
    while (good < 2 && !all_solved() && int(result_.solved.size()) < options_.max_solutions) {
      const std::size_t next = worst();
      const double error = difference(take(next), at_[next].s);
      result_.error_estimate = std::max(error, scan());
      log::debug("adaptive sweep: {} solutions, error {:.1e} at {:.6g} Hz, {:.1e} with the change",
                 result_.solved.size(), error, frequencies_[next], result_.error_estimate);
      good = result_.error_estimate < options_.tolerance ? good + 1 : 0;
    }
    result_.converged = good >= 2 || all_solved();
    if (all_solved()) result_.error_estimate = 0;
    return std::move(result_);
  }
  const std::vector<ModeState>& modes(std::size_t i) const { return modes_[i]; }
  const Eigen::MatrixXcd& s(std::size_t i) const { return at_[i].s; }

 private:
  bool all_solved() const { return result_.solved.size() == frequencies_.size(); }

  Eigen::MatrixXcd take(std::size_t i) {
    const DrivenSolution solution = solve_(frequencies_[i]);
    if (options_.on_solution) options_.on_solution(solution);
    result_.solved.push_back(frequencies_[i]);
    is_solved_[i] = true;
    model_.add(solution);
    return solution.scattering.s;
  }

  /// The model at all frequencies. @return the greatest change of S since the last scan
  double scan() {
    const auto last = std::exchange(at_, std::vector<SweepModel::Estimate>(frequencies_.size()));
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < frequencies_.size(); ++i) at_[i] = model_.at(frequencies_[i], modes_[i]);
    double change = 0;
    for (std::size_t i = 0; i < last.size(); ++i) change = std::max(change, difference(at_[i].s, last[i].s));
    return change;
  }

  /// The worst of the frequencies that are not solved.
  std::size_t worst() const {
    std::size_t found = frequencies_.size();
    for (std::size_t i = 0; i < frequencies_.size(); ++i)
      if (!is_solved_[i] && (found == frequencies_.size() || at_[i].indicator > at_[found].indicator))
        found = i;
    return found;
  }

  const std::vector<double>& frequencies_;
  const FastSweepOptions& options_;
  const std::function<DrivenSolution(double)>& solve_;
  SweepModel& model_;
  std::vector<std::vector<ModeState>> modes_;  // [frequencies]
  std::vector<SweepModel::Estimate> at_;       // [frequencies]
  std::vector<bool> is_solved_;
  FastSweepResult result_;
};

}  // namespace

FastSweepResult adaptive_sweep(const MaxwellSystem& system, const std::vector<double>& frequencies,
                               const FastSweepOptions& options,
                               const std::function<DrivenSolution(double)>& solve, SweepModel& model) {
  AdaptiveSweep sweep(system, frequencies, options, solve, model);
  FastSweepResult result = sweep.run();
  if (!result.converged)
    throw NumericalError(
        fmt::format("adaptive sweep: error {:.1e} after {} full solutions, {:.1e} asked (raise max_solutions "
                    "or narrow the band)",
                    result.error_estimate, result.solved.size(), options.tolerance));
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
