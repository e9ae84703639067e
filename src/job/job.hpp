// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The steps from a problem to its files, the same in all programs: plan, end of a dry run, frequencies with
// Ctrl-C, --resume and --array, sinks, close.

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/background.hpp"
#include "base/error.hpp"
#include "base/progress.hpp"
#include "job/adaptive.hpp"
#include "job/kept.hpp"
#include "job/problem.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::job {

template <class S>
using Sinks = std::vector<std::unique_ptr<Sink<S>>>;

/// Gives solutions of a run to its sinks.
template <class S>
class Delivery {
 public:
  explicit Delivery(const Sinks<S>& sinks) : sinks_(sinks) {}
  /// Gives a solution to the sinks that compute now, and to those that write by the writer's thread.
  void add(std::size_t number, double frequency, std::shared_ptr<const S> s, Background& writer) {
    compute(true, number, frequency, *s);
    add_computed(number, frequency, std::move(s), writer);
  }
  /// Gives it to the sinks that compute in the process that solves the frequency, or to the other computing
  /// ones.
  void compute(bool where_solved, std::size_t number, double frequency, const S& s) {
    for (const auto& sink : sinks_)
      if (sink->computes() && (sink->carried() != nullptr) == where_solved) sink->add(number, frequency, s);
  }
  /// Gives it to all sinks that compute.
  void compute(double frequency, const S& s) {
    for (const bool where_solved : {true, false}) compute(where_solved, 0, frequency, s);
  }
  void add_computed(std::size_t number, double frequency, std::shared_ptr<const S> s, Background& writer) {
    compute(false, number, frequency, *s);
    writer.add([this, number, frequency, s = std::move(s)] {
      const ScopedStage timed(written_, run::results_stage);
      for (const auto& sink : sinks_)
        if (!sink->computes()) sink->add(number, frequency, *s);
    });
  }
  /// The same without a thread.
  void add(double frequency, S s) {
    Background here(0);
    add(0, frequency, std::make_shared<const S>(std::move(s)), here);
  }
  void close(run::Run& run) {
    for (const auto& sink : sinks_) {
      if (sink->computes()) {
        sink->close();
        continue;
      }
      const ScopedStage timed(written_, run::results_stage);
      sink->close();
    }
    run::add_stages(written_, run);
  }

 private:
  const Sinks<S>& sinks_;
  Stages written_;  // written first on the writer's thread
};

/// Runs all steps up to the first solution. @returns false if the run ends there
template <class S>
bool begin(Planned& problem, const Sinks<S>& sinks, std::size_t frequencies, run::Run& run) {
  if (!run.dry_run())
    for (const auto& sink : sinks) sink->open();
  const Plan plan = problem.plan(run);
  run::plan_waiting(run, frequencies, plan.solution_bytes);
  for (const auto& sink : sinks) sink->plan(plan);
  return !run.dry_run();
}

/// The solution of a frequency [Hz] that an interrupted run of the same inputs saved; null if none.
template <class S>
std::shared_ptr<S> find_kept(Problem<S>& problem, std::size_t number, double frequency,
                             const run::FrequencySweep& sweep) {
  const auto known = find_for_all(problem.processes(), [&] { return sweep.find(number); });
  if (!known) return nullptr;
  auto s = std::make_shared<S>(problem.unsolved(frequency));
  return fill(*known, problem.arrays(*s)) ? s : nullptr;
}

template <class S>
std::shared_ptr<S> solve(Problem<S>& problem, double frequency, run::Run& run) {
  const Timer timer;
  auto s = std::make_shared<S>(problem.solve(frequency));
  Stages solved;
  solved.add(problem.stage(), timer.seconds());
  run::add_stages(solved, run);
  return s;
}

/// A run with its own loop over solutions, which gives them to the sinks: loop(delivery).
template <class S, class Loop>
void run_by(Planned& problem, const Sinks<S>& sinks, run::Run& run, const Loop& loop) {
  if (!begin(problem, sinks, 1, run)) return;
  Delivery<S> delivery(sinks);
  loop(delivery);
  delivery.close(run);
}

/// @param frequencies [Hz] ascending @param sinks in the order in which they close
template <class S>
void run(Problem<S>& problem, const Sinks<S>& sinks, const std::vector<double>& frequencies, run::Run& run) {
  if (!begin(problem, sinks, frequencies.size(), run)) return;
  Delivery<S> delivery(sinks);
  Progress progress("frequencies", long(frequencies.size()));
  run::FrequencySweep sweep(frequencies, run);
  for (const auto& sink : sinks)
    if (auto* carried = sink->carried()) sweep.carry(*carried);
  if (const Stages* stages = problem.solver_stages()) sweep.watch(*stages);
  if (problem.is_written_first()) sweep.write_first();
  problem.keep_in(sweep);
  sweep.each_behind([&](std::size_t number, double frequency, Background& writer) {
    auto s = find_kept(problem, number, frequency, sweep);
    if (!s) {
      s = solve(problem, frequency, run);
      if (is_first(problem.processes()))
        writer.add([&problem, &sweep, number, s] { keep(sweep, number, problem.arrays(*s)); });
    }
    sweep.finish_solution(number, [&] { delivery.compute(true, number, frequency, *s); });
    delivery.add_computed(number, frequency, s, writer);
    writer.add([&progress, number] { progress.update(long(number) + 1); });
  });
  delivery.close(run);
}

/// Solutions at all frequencies from full ones at a few.
/// @tparam P SampledProblem<S>, or a type with the same functions
template <class S, class P = SampledProblem<S>>
class Sampled {
 public:
  using Solve = std::function<std::shared_ptr<S>(std::size_t)>;
  /// @param solve in full, the frequency of that number @note all arguments outlive this object
  Sampled(P& problem, const std::vector<double>& frequencies, Solve solve)
      : problem_(problem),
        frequencies_(frequencies),
        solve_(std::move(solve)),
        between_(
            frequencies, [this](std::size_t number) { return take(number); }, problem.observed()) {}
  Sampled(const Sampled&) = delete;
  Sampled& operator=(const Sampled&) = delete;
  /// Call sample() on it before at().
  linalg::SampledSolutions& between() { return between_; }
  const linalg::SampledSolutions& between() const { return between_; }
  /// The full solution if it was kept, else the interpolated one; solved now if the model does not give it.
  std::shared_ptr<S> at(std::size_t number) {
    if (const auto known = full_.find(number); known != full_.end()) return known->second;
    if (!between_.knows(number)) return solve_(number);
    return std::make_shared<S>(problem_.between(frequencies_[number], between_.at(number)));
  }

 private:
  linalg::SampledColumns take(std::size_t number) {
    check_interrupt();
    const auto s = solve_(number);
    if (problem_.keeps_full()) full_[number] = s;
    return problem_.columns(*s);
  }

  P& problem_;
  const std::vector<double>& frequencies_;
  Solve solve_;
  linalg::SampledSolutions between_;
  std::map<std::size_t, std::shared_ptr<S>> full_;
};

/// run() with full solutions at a few frequencies and interpolated ones at the others.
template <class S>
void run_adaptively(SampledProblem<S>& problem, const Sinks<S>& sinks, const std::vector<double>& frequencies,
                    const io::AdaptiveSweep& adaptive, run::Run& run) {
  if (!begin(problem, sinks, frequencies.size(), run)) return;
  run::FrequencySweep sweep(frequencies, run);
  sweep.one_after_another();
  if (problem.is_written_first()) sweep.write_first();
  problem.keep_in(sweep);
  const auto solve_at = [&](std::size_t number) {
    auto s = find_kept(problem, number, frequencies[number], sweep);
    if (s) return s;
    s = solve(problem, frequencies[number], run);
    if (is_first(problem.processes())) keep(sweep, number, problem.arrays(*s));
    return s;
  };
  Sampled<S> sampled(problem, frequencies, solve_at);
  sample(sampled.between(), adaptive, frequencies.size(), run);
  Delivery<S> delivery(sinks);
  sweep.each_behind([&](std::size_t number, double frequency, Background& writer) {
    delivery.add(number, frequency, sampled.at(number), writer);
  });
  delivery.close(run);
}

}  // namespace curlew::job
