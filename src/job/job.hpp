// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The one way from a problem to its files: plan, end of a dry run, frequencies with Ctrl-C, --resume and
// --array, sinks, close.

#include <memory>
#include <vector>

#include "base/interrupt.hpp"
#include "base/progress.hpp"
#include "job/kept.hpp"
#include "job/problem.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::job {

template <class S>
using Sinks = std::vector<std::unique_ptr<Sink<S>>>;

/// Solved now and kept, or taken from an interrupted run.
template <class S>
S solve_or_restore(Problem<S>& problem, std::size_t number, double frequency,
                   const run::FrequencySweep& sweep, run::Run& run) {
  const auto timer = run.stage(problem.stage());
  if (auto known = find_kept(sweep, number, frequency)) return problem.restore(std::move(*known));
  S s = problem.solve(number, frequency);
  keep(sweep, number, problem.keep(frequency, s));
  return s;
}

template <class S>
void add_to(const Sinks<S>& sinks, bool that_compute, std::size_t number, double frequency, const S& s) {
  for (const auto& sink : sinks)
    if (sink->computes() == that_compute) sink->add(number, frequency, s);
}

/// @param frequencies [Hz] ascending @param sinks in the order in which they close
template <class S>
void run(Problem<S>& problem, const Sinks<S>& sinks, const std::vector<double>& frequencies, run::Run& run) {
  const Plan plan = problem.plan(run);
  for (const auto& sink : sinks) sink->plan(plan);
  if (run.dry_run()) return;
  for (const auto& sink : sinks) sink->open();
  Progress progress("frequencies", long(frequencies.size()));
  run::FrequencySweep sweep(frequencies, run);
  sweep.each([&](std::size_t number, double frequency) {
    const S s = solve_or_restore(problem, number, frequency, sweep, run);
    add_to(sinks, true, number, frequency, s);
    const InterruptHold hold;
    const auto timer = run.stage(run::results_stage);
    add_to(sinks, false, number, frequency, s);
    progress.update(long(number) + 1);
  });
  for (const auto& sink : sinks) sink->close();
}

}  // namespace curlew::job
