// SPDX-License-Identifier: BSD-3-Clause
#include "optimize/tolerances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "io/csv.hpp"
#include "optimize/spread.hpp"

namespace curlew::optimize {
namespace {

constexpr std::uint64_t seed = 1;  // the same points in every run

/// Points of the linear model: the share that meets all goals is then known to 0.5 %.
constexpr std::size_t linear_points = 10'000;

using Values = std::vector<std::vector<Complex>>;  // [point][sample]

/// Statistics of one value over all points, in the unit of its goal.
Statistics statistics_of(const Task& task, const Values& values, std::size_t sample) {
  std::vector<double> numbers;
  for (const auto& point : values)
    numbers.push_back(shown(task.goals[task.samples[sample].goal], point[sample]));
  return statistics(std::move(numbers));
}

/// The share of points that meet all goals.
double yield_of(const Task& task, const Values& values) {
  const auto met = std::count_if(values.begin(), values.end(),
                                 [&](const auto& point) { return worst_excess(task.limits, point) <= 0; });
  return double(met) / double(values.size());
}

/// Error of the linear model: root mean square of the differences divided by that of the changes.
double linear_error(const std::vector<Complex>& centre, const Values& linear, const Values& solved) {
  double differences = 0, changes = 0;
  for (std::size_t p = 0; p < solved.size(); ++p)
    for (std::size_t i = 0; i < centre.size(); ++i) {
      differences += std::norm(solved[p][i] - linear[p][i]) / std::max(std::norm(centre[i]), 1e-300);
      changes += std::norm(solved[p][i] - centre[i]) / std::max(std::norm(centre[i]), 1e-300);
    }
  return changes > 0 ? std::sqrt(differences / changes) : 0;
}

Values solve_at(SolverRuns& runs, const std::vector<double>& x, const std::vector<std::vector<double>>& steps,
                int count) {
  std::vector<std::vector<double>> points(std::size_t(count), x);
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t j = 0; j < x.size(); ++j) points[p][j] += steps[p][j];
  Values values;
  for (auto& response : runs.evaluate_all(points, Purpose::sample))
    values.push_back(std::move(response.values));
  return values;
}

void write_table(const Task& task, const std::vector<Complex>& centre, const Values& linear,
                 const Values& solved, run::Run& run) {
  io::CsvWriter csv(run.output("tolerance.csv"), io::provenance_lines(run.provenance()),
                    {"goal", "quantity", "unit", "frequency_hz", "value", "deviation", "low", "high",
                     "sampled_deviation", "sampled_low", "sampled_high"});
  run.table("ranges by the linear model: 90 % of devices lie from low to high",
            {"quantity", "unit", "GHz", "value", "deviation", "low", "high"});
  for (std::size_t i = 0; i < task.samples.size(); ++i) {
    const Sample& sample = task.samples[i];
    const Goal& goal = task.goals[sample.goal];
    const double value = shown(goal, centre[i]);
    const auto all = statistics_of(task, linear, i);
    std::optional<Statistics> some;
    if (solved.size() > 1) some = statistics_of(task, solved, i);
    const auto cell = [&](double Statistics::*member) {
      return some ? io::Cell((*some).*member) : io::Cell("");
    };
    csv.row({long(sample.goal + 1), goal.name, unit_of(goal),
             sample.frequency ? io::Cell(*sample.frequency) : io::Cell(""), value, all.deviation, all.low,
             all.high, cell(&Statistics::deviation), cell(&Statistics::low), cell(&Statistics::high)});
    run.row({goal.name, unit_of(goal),
             sample.frequency ? fmt::format("{:.6g}", 1e-9 * *sample.frequency) : "",
             fmt::format("{:.6g}", value), fmt::format("{:.3g}", all.deviation),
             fmt::format("{:.6g}", all.low), fmt::format("{:.6g}", all.high)});
  }
  csv.close();
}

}  // namespace

void write_tolerances(const Task& task, SolverRuns& runs, const std::vector<double>& x,
                      const Response& response, run::Run& run) {
  const ToleranceAnalysis& analysis = *task.analysis;
  std::vector<double> spread;
  for (const Variable& v : task.variables) spread.push_back(v.spread / (v.max - v.min));
  const auto steps = random_steps(spread, analysis.is_uniform ? Distribution::uniform : Distribution::normal,
                                  seed, std::max(linear_points, std::size_t(analysis.samples)));
  Values linear;
  for (const auto& step : steps) linear.push_back(linear_values(response, step));
  const Values solved = analysis.samples > 0 ? solve_at(runs, x, steps, analysis.samples) : Values();
  write_table(task, response.values, linear, solved, run);
  run::Value& results = run.results()["tolerance"];
  if (!task.limits.empty()) {
    results["yield"] = yield_of(task, linear);
    run.line(
        fmt::format("{:.1f} % of devices meet the goals, by the linear model", 100 * yield_of(task, linear)));
  }
  if (solved.empty()) return;
  if (!task.limits.empty()) results["sampled_yield"] = yield_of(task, solved);
  results["linear_error"] = linear_error(response.values, linear, solved);
  run.line(fmt::format("{} runs: the linear model has an error of {:.1f} % of their changes{}", solved.size(),
                       100 * linear_error(response.values, linear, solved),
                       task.limits.empty()
                           ? ""
                           : fmt::format("; {:.1f} % of them meet the goals", 100 * yield_of(task, solved))));
}

}  // namespace curlew::optimize
