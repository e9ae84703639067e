// SPDX-License-Identifier: BSD-3-Clause
// em-optimize: finds parameters of a config that meet goals, by runs of its solver.

#include "optimize/search_output.hpp"
#include "optimize/tolerances.hpp"
#include "programs/programs.hpp"
#include "run/run_app.hpp"

namespace {

using namespace curlew;

void optimize_config(const io::Config& config, run::Run& run) {
  using optimize::Variable;
  const optimize::Task task = optimize::read_task(config);
  config.check_unknown_keys();
  run.depends_on(task.config);
  optimize::SolverRuns runs(task, run);
  std::vector<double> start;
  for (const Variable& v : task.variables) start.push_back(v.share(v.start));
  if (run.dry_run()) return runs.check(start);
  const optimize::Evaluations evaluations{
      [&](const std::vector<double>& x) { return runs.evaluate(x); },
      [&](const std::vector<double>& x, optimize::Response& response) { runs.differentiate(x, response); }};
  auto found = optimize::search(evaluations, task.limits, start, task.search);
  if (task.analysis) {
    runs.differentiate(found.x, found.response);
    optimize::write_tolerances(task, runs, found.x, found.response, run);
  }
  optimize::write_search(task, runs, found, run);
}

}  // namespace

int curlew::programs::em_optimize(int argc, char** argv) {
  const run::AppInfo info{
      .name = "em-optimize",
      .summary =
          "Dimensions and materials of a config so that S, modes or gain meet their goals; their tolerances.",
      .example = "em-optimize configs/filter_tuning.toml --set optimization.max_evaluations=15",
      .has_own_jobs = true};
  return run::run_app(info, argc, argv, optimize_config);
}
