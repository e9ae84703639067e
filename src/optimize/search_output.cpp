// SPDX-License-Identifier: BSD-3-Clause
#include "optimize/search_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "optimize/solver_results.hpp"

namespace curlew::optimize {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::string band_of(const Goal& goal) {
  const auto& f = goal.frequencies;
  if (f.empty()) return "";
  return f.size() == 1 ? fmt::format("{:.6g}", 1e-9 * f.front())
                       : fmt::format("{:.6g} to {:.6g}", 1e-9 * f.front(), 1e-9 * f.back());
}

std::string limits_of(const Goal& goal) {
  std::string text;
  const auto add = [&](const char* word, const std::optional<double>& bound) {
    if (bound) text += fmt::format("{}{} {:.6g}", text.empty() ? "" : ", ", word, *bound);
  };
  add("above", goal.above), add("below", goal.below), add("equal", goal.equal);
  return text;
}

/// The value of a goal with the largest excess; without limits the first.
double worst_shown(const Task& task, std::size_t goal, const std::vector<Complex>& values) {
  double worst = -std::numeric_limits<double>::infinity(), number = nothing;
  for (const auto& limit : task.limits) {
    if (task.samples[limit.value].goal != goal) continue;
    const double over = excess(limit, values[limit.value]);
    if (over > worst) worst = over, number = shown(task.goals[goal], values[limit.value]);
  }
  if (!std::isnan(number)) return number;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (task.samples[i].goal == goal) return shown(task.goals[goal], values[i]);
  return nothing;
}

std::string label(const Task& task, const Sample& sample) {
  const std::string& name = task.goals[sample.goal].name;
  return sample.frequency ? fmt::format("{} {:.6g} GHz", name, 1e-9 * *sample.frequency) : name;
}

/// A row per run and variable or value: a fixed number of columns.
void write_steps(const Task& task, const SolverRuns& runs, run::Run& run) {
  io::CsvWriter csv(run.output("steps.csv"), io::provenance_lines(run.provenance()),
                    {"evaluation", "purpose", "worst_excess", "what", "re_value", "im_value"});
  long number = 0;
  for (const Evaluation& e : runs.done()) {
    ++number;
    const auto add = [&](const std::string& what, Complex value) {
      csv.row({number, word_of(e.purpose), std::isfinite(e.worst) ? io::Cell(e.worst) : io::Cell(""), what,
               value.real(), value.imag()});
    };
    for (std::size_t j = 0; j < e.x.size(); ++j)
      add(task.variables[j].parameter, task.variables[j].at(e.x[j]));
    for (std::size_t i = 0; i < e.values.size(); ++i) add(label(task, task.samples[i]), e.values[i]);
  }
  csv.close();
}

/// Failed runs have no row here, since NaN is not written.
void write_table(const Task& task, const SolverRuns& runs, run::Run& run) {
  auto file = io::H5File::create(run.output("steps.h5"));
  file.write_provenance(run.provenance(), "curlew-steps", 2);
  std::vector<double> variables, worst;
  std::vector<Complex> values;
  std::vector<std::int32_t> numbers, purposes;
  const std::uint64_t n = task.variables.size(), m = task.samples.size();
  std::int32_t number = 0;
  for (const Evaluation& e : runs.done()) {
    ++number;
    if (e.values.empty()) continue;
    for (std::size_t j = 0; j < n; ++j) variables.push_back(task.variables[j].at(e.x[j]));
    values.insert(values.end(), e.values.begin(), e.values.end());
    numbers.push_back(number), worst.push_back(e.worst), purposes.push_back(int(e.purpose));
  }
  const std::uint64_t rows = numbers.size();
  std::string parameters, names;
  for (const Variable& v : task.variables) parameters += v.parameter + "\n";
  for (const Sample& sample : task.samples) names += label(task, sample) + "\n";
  file.write("evaluation", numbers,
             {"1", "number of the run in steps.csv, which includes failed runs (row)"});
  file.write("variables", variables, {"(parameter)", "values of the parameters (row, parameter)"}, {rows, n});
  file.write("values", values, {"(quantity)", "values of the goals; S complex (row, value)"}, {rows, m});
  file.write("worst_excess", worst,
             {"1", "the greatest violation of a limit, negative where all are met (row)"});
  file.write("purpose", purposes, {"1", "0 start, 1 step, 2 difference, 3 sample (row)"});
  file.write_string("parameters", parameters, "names, one per line");
  file.write_string("names", names, "names of the values, one per line");
  file.close();
}

void write_goals(const Task& task, const std::vector<Complex>& before, const std::vector<Complex>& after,
                 run::Run& run) {
  io::CsvWriter csv(run.output("goals.csv"), io::provenance_lines(run.provenance()),
                    {"goal", "quantity", "unit", "frequency_hz", "below", "above", "start", "best"});
  const auto cell = [](const std::optional<double>& number) {
    return number ? io::Cell(*number) : io::Cell("");
  };
  for (std::size_t i = 0; i < task.samples.size(); ++i) {
    const Sample& sample = task.samples[i];
    const Goal& goal = task.goals[sample.goal];
    csv.row({long(sample.goal + 1), goal.name, unit_of(goal), cell(sample.frequency),
             cell(goal.below ? goal.below : goal.equal), cell(goal.above ? goal.above : goal.equal),
             shown(goal, before[i]), shown(goal, after[i])});
  }
  csv.close();
}

void state_goals(const Task& task, const std::vector<Complex>& before, const std::vector<Complex>& after,
                 run::Run& run) {
  run.table("goals, at the frequency of the greatest violation",
            {"quantity", "unit", "GHz", "limit", "start", "best"});
  for (std::size_t g = 0; g < task.goals.size(); ++g) {
    const Goal& goal = task.goals[g];
    const double a = worst_shown(task, g, before), b = worst_shown(task, g, after);
    run.row({goal.name, unit_of(goal), band_of(goal), limits_of(goal), fmt::format("{:.6g}", a),
             fmt::format("{:.6g}", b)});
    run.results()["goals"].push_back({{"quantity", goal.name}, {"start", a}, {"best", b}});
  }
}

void state_variables(const Task& task, const std::vector<double>& best, run::Run& run) {
  run.table("variables", {"parameter", "min", "max", "start", "best"});
  for (std::size_t j = 0; j < task.variables.size(); ++j) {
    const Variable& v = task.variables[j];
    run.row({v.parameter, fmt::format("{:.7g}", v.min), fmt::format("{:.7g}", v.max),
             fmt::format("{:.7g}", v.start), fmt::format("{:.7g}", v.at(best[j]))});
    run.results()["variables"].push_back(
        {{"parameter", v.parameter}, {"start", v.start}, {"best", v.at(best[j])}});
  }
}

const char* end_of(SearchEnd end) {
  switch (end) {
    case SearchEnd::met:
      return "all goals are met";
    case SearchEnd::no_better:
      return "no step improves the result";
    default:
      return "max_evaluations";
  }
}

/// Those of the solver at the best point, as of cells that are too coarse for the goals.
void pass_on_warnings(const SolverRuns& runs, const std::vector<double>& best, run::Run& run) {
  const auto& done = runs.done();
  const auto found = std::find_if(done.rbegin(), done.rend(),
                                  [&](const Evaluation& e) { return e.x == best && !e.values.empty(); });
  if (found == done.rend()) return;
  for (const auto& text : warnings_of((std::filesystem::path(run.output_path()) / found->folder).string()))
    run.warn(fmt::format("the best, {}: {}", found->folder, text));
}

}  // namespace

void write_search(const Task& task, const SolverRuns& runs, const SearchResult& found, run::Run& run) {
  const auto& before = runs.done().front().values;
  write_steps(task, runs, run);
  write_table(task, runs, run);
  write_goals(task, before, found.response.values, run);
  state_variables(task, found.x, run);
  state_goals(task, before, found.response.values, run);
  const bool are_met = found.worst <= 0;
  auto& results = run.results();
  results["evaluations"] = found.evaluations;
  results["goals_met"] = are_met;
  if (std::isfinite(found.worst)) results["worst_excess"] = found.worst;
  run.line(fmt::format("{} evaluations, {}; the best again: {}", found.evaluations, end_of(found.end),
                       runs.command(found.x)));
  pass_on_warnings(runs, found.x, run);
  if (!are_met)
    run.warn(
        fmt::format("goals are missed by up to {:.3g}: {}", found.worst,
                    found.end == SearchEnd::max_evaluations
                        ? "raise optimization.max_evaluations, and continue with --resume"
                        : "no step improves the result; relax the goals, widen the ranges, or start nearer, "
                          "with S that already changes in the bands of the goals"));
}

}  // namespace curlew::optimize
