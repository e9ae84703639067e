// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An adaptive sweep of a problem with ports, as a Job.

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "fem/report/solver_report.hpp"
#include "fem/setup/sweep_request.hpp"
#include "job/job.hpp"

namespace curlew::fem {

/// Computes S at all frequencies, then solves each frequency whose fields are written, since the reduced
/// model gives S only.
/// @param sweep (solve, begin) -> FastSweepResult, solve(frequency) a full solution with x,
/// begin(frequencies) solves them side by side before, if cores and memory allow
/// @param take (Step&) -> the solution, moved out of a step whose fields are not written
/// @param of_model (DrivenSolution) -> Step with S alone
/// @returns the estimate of the model's error
template <class Step, class Sweep, class Take, class OfModel>
double sweep_adaptively(job::Problem<Step>& problem, const SweepRequest& request, const Sweep& sweep,
                        const Take& take, const OfModel& of_model, job::Delivery<Step>& delivery,
                        run::Run& run) {
  const auto timer = run.stage(problem.stage());
  const auto all = request.all();
  run::FrequencySweep kept(all, run);
  if (const Stages* stages = problem.solver_stages()) kept.watch(*stages);
  problem.keep_in(kept);
  const auto solve_anew = [&](std::size_t number) {
    auto step = std::make_shared<Step>(problem.solve(all[number]));
    job::keep(kept, number, problem.arrays(*step));
    return step;
  };
  const auto number_of = [&](double f) {
    return std::size_t(std::ranges::lower_bound(all, f) - all.begin());
  };
  const auto solve = [&](double f) {
    check_interrupt();
    const std::size_t number = number_of(f);
    auto step = job::find_kept(problem, number, f, kept);
    return step ? step : solve_anew(number);
  };
  const auto begin = [&](const std::vector<double>& frequencies) {
    std::vector<std::size_t> numbers;
    for (const double f : frequencies) numbers.push_back(number_of(f));
    kept.solve_side_by_side(std::move(numbers), solve_anew);
  };
  std::map<double, std::shared_ptr<Step>> known;
  const auto solve_and_compute = [&](double f) {
    Step& step = *(known[f] = solve(f));
    SweepStep& flags = step;
    const SweepStep later = std::exchange(flags, {false, false, false});
    delivery.compute(f, step);  // results that need the solution, before it is moved into the reduced model
    flags = later;
    return take(step);
  };
  FastSweepResult result = sweep(solve_and_compute, begin);
  state_sweep(result, run);
  curlew::Background writer(1);
  const auto deliver = [&](double f, std::shared_ptr<Step> step, bool is_stated, bool is_solved) {
    step->is_stated = is_stated, step->is_solved = is_solved;
    delivery.add(0, f, std::move(step), writer);
  };
  for (const double f : request.written) {
    const auto found = known.extract(f);
    deliver(f, found.empty() ? solve(f) : found.mapped(), false, !found.empty());
    check_interrupt();
  }
  for (const auto& [f, step] : known) deliver(f, step, false, true);
  for (auto& solution : result.solutions) {
    const double f = solution.frequency;
    deliver(f, std::make_shared<Step>(of_model(std::move(solution))), true, false);
  }
  writer.finish();
  kept.forget();
  return result.error_estimate;
}

}  // namespace curlew::fem
