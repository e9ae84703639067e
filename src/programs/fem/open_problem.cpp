// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/open_problem.hpp"

#include <algorithm>

#include "base/wavenumber.hpp"
#include "fem/driven/low_frequency.hpp"
#include "io/array_names.hpp"
#include "programs/fem/open_job.hpp"
#include "programs/fem/resolution.hpp"
#include "programs/fem/several_processes.hpp"
#include "programs/fem/solver_report.hpp"

namespace curlew::programs {

std::span<const fem::Excitation> shown_of(const std::vector<fem::Excitation>& all) {
  return {all.begin(), std::find_if(all.begin(), all.end(), std::mem_fn(&fem::Excitation::is_dual))};
}

void show_open(const OpenCase& c, const fem::OpenSolution& solution, const std::vector<fem::Radiation>& far,
               const std::function<void(const Shown&)>& take) {
  const auto excitations = shown_of(c.excitations);
  const std::size_t n = solution.x.size() / c.excitations.size();
  for (std::size_t i = 0; i < excitations.size(); ++i) {
    const auto& e = excitations[i];
    Shown shown{.label = e.label,
                .suffix = io::excitation_suffix(i, excitations.size()),
                .what = ", " + e.label,
                .x = &solution.x[i * n]};
    if (e.is_scattered()) shown.incident = fem::incident_field(e, wavenumber(solution.frequency));
    if (e.wave) {
      shown.wave = &e;
      if (!far.empty()) shown.far = &far[i];
    } else {
      shown.feed = results::source_budget(c.symmetry.copies() * solution.source_power[i], 0);
      if (e.background) shown.far_known = shown.incident;
    }
    take(shown);
  }
}

std::unique_ptr<MaxwellFiles> make_open_files(const OpenCase& c, const fem::OpenProblem& problem,
                                              run::Run& run) {
  const auto excitations = shown_of(c.excitations);
  const auto waves =
      std::count_if(excitations.begin(), excitations.end(), [](const auto& e) { return e.wave; });
  return std::make_unique<MaxwellFiles>(problem.space(), problem.model(), c.frequencies.front(), c, waves > 0,
                                        waves < std::ssize(excitations), run);
}

namespace {

fem::DrivenOptions shared(fem::DrivenOptions options) {
  options.spread = true;
  return options;
}

}  // namespace

OpenJob::OpenJob(const OpenCase& c, run::Run& run)
    : case_(c), run_(run), problem_(c.mesh, c.topology, c.model, c.excitations, shared(c.options)) {}

job::Plan OpenJob::plan(run::Run& run) {
  const auto count = case_.excitations.size();
  state_sizes(problem_.space(), problem_.nnz(), run);
  run.size("right_hand_sides", long(count));
  {
    const auto timer = run.stage("analysis");
    problem_.analyse();
  }
  state_solver(problem_.solver_info(), run);
  const Offset unknowns = problem_.space().num_dofs();
  return {unknowns, sizeof(Complex) * std::size_t(unknowns) * count};
}

fem::OpenSolution OpenJob::solve(double frequency) {
  auto solution = problem_.solve(frequency);
  state_solve(solution.solver, run_);
  return solution;
}

fem::OpenSolution OpenJob::unsolved(double frequency) {
  const auto count = case_.excitations.size();
  return {frequency,
          std::vector<Complex>(std::size_t(problem_.space().num_dofs()) * count),
          std::vector<double>(count),
          {}};
}

job::Arrays OpenJob::arrays(fem::OpenSolution& s) const {
  return {{"x", std::span(s.x)}, {"source_power", std::span(s.source_power)}};
}

void solve_open(const io::Config& config, run::Run& run) {
  const auto c = read_open_case(config, run);
  check_resolution(c.mesh, c.model, c.frequencies.back(), run);
  check_facets(c.mesh, c.topology, c.model, run);
  fem::ChargeRounding(c.mesh, c.model).require(c.model, c.frequencies.front(), "an [excitation]");
  if (c.splits) return serve_whole_matrices() ? void() : solve_by_parts(c, run);
  OpenJob problem(c, run);
  if (problem.serve()) return;
  job::run(problem, open_sinks(problem, run), c.frequencies, run);
  if (!run.dry_run()) state_stages(problem.problem().stages(), run);
}

}  // namespace curlew::programs
