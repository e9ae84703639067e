// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/analyses.hpp"

#include <algorithm>
#include <cmath>

#include "fem/driven/driven_options.hpp"
#include "fem/driven/fast_sweep.hpp"
#include "fem/error/shape_variant.hpp"
#include "fem/model/read_port.hpp"
#include "fem/passes/port_passes.hpp"
#include "fem/report/band_sweep.hpp"
#include "fem/report/mode_checks.hpp"
#include "fem/report/port_output.hpp"
#include "fem/report/resolution.hpp"
#include "fem/report/solver_report.hpp"
#include "fem/setup/cut_ports.hpp"
#include "fem/system/coarse_order.hpp"
#include "io/array_names.hpp"
#include "io/frequency.hpp"
#include "io/touchstone.hpp"
#include "programs/fem/driven_job.hpp"
#include "programs/fem/several_processes.hpp"

namespace curlew::programs {

namespace {

/// @throws InputError with file and line, for unknown keys too
DrivenCase read_driven_case(mesh::Mesh mesh, const io::Config& config, run::Run& run) {
  DrivenCase c;
  c.frequencies = io::frequencies(config, io::Lowest::zero);
  c.options = fem::read_driven_options(config, run.device(), run.processes());
  c.accuracy = results::read_accuracy(config);
  static_cast<fem::MaxwellSetup&>(c) = fem::read_maxwell_setup(std::move(mesh), config);
  run.size("cells", c.mesh.num_cells());
  const io::Config output = config.table("output");
  c.reference_impedance = fem::read_reference_impedance(output);
  c.touchstone = io::read_touchstone_version(output);
  c.limit = fem::StaticLimit(c.frequencies, c.mesh, c.model);
  c.received = fem::read_received(config, c);
  c.parameters = fem::read_parameters(config, {c.mesh, c.topology, c.model}, run);
  const bool fields_asked = c.write_fields || c.far_field || !c.near_fields.empty();
  c.request = fem::read_sweep(config, c.frequencies, fields_asked, !c.received.excitations.empty());
  c.limit.leave_out(c.request.written, fields_asked, config);
  c.options.frequencies = c.request.expected_solutions();
  fem::choose_coarse_order(c.mesh, c.model, c.frequencies.back(), c.options);
  config.check_unknown_keys();
  return c;
}

}  // namespace

DrivenJob::DrivenJob(const DrivenCase& c, run::Run& run)
    : case_(c),
      run_(run),
      problem_(c.mesh, c.topology, c.model, spread(c.options)),
      combined_(problem_.ports(), problem_.modes()),
      excited_(fem::excited_modes(problem_.ports(), problem_.modes())),
      scale_(1 / std::sqrt(fem::copies_of_whole(c))) {}

void DrivenJob::check() {
  const bool has_sources = !case_.received.excitations.empty();
  case_.limit.require(problem_, has_sources);
  problem_.require_resolvable(case_.frequencies, has_sources);
  fem::check_modes(problem_, case_.frequencies, case_.reference_impedance, run_);
  fem::state_symmetry(problem_.ports(), run_);
  if (!run_.dry_run()) receiver_.emplace(case_.received, problem_);
}

fem::FemWork DrivenJob::work() const {
  fem::FemWork work{.solutions = double(case_.request.expected_solutions()),
                    .right_hand_sides = double(problem_.modes().size())};
  if (case_.write_fields) work.written = double(case_.request.written.size() * num_shown());
  work.field_cells = case_.field_cells;
  return work;
}

DrivenStep DrivenJob::step_of(fem::DrivenSolution solution) const {
  const double f = solution.frequency;
  return {case_.request.step(f), std::move(solution)};
}

DrivenStep DrivenJob::solve(double frequency) {
  if (case_.received.excitations.empty())
    if (auto known = known_.extract(frequency); !known.empty()) {
      problem_.mode_states(frequency);  // are followed upwards
      return step_of(std::move(known.mapped()));
    }
  auto step = step_of(problem_.solve(frequency, receiver_->loads(frequency)));
  fem::state_solve(step.solution.solver, run_);
  return step;
}

DrivenStep DrivenJob::unsolved(double frequency) {
  fem::DrivenSolution solution;
  solution.frequency = frequency;
  const auto states = problem_.mode_states(frequency);
  for (const Eigen::Index i : problem_.reported()) solution.modes.push_back(states[std::size_t(i)]);
  const auto modes = problem_.modes().size(), sources = case_.received.excitations.size();
  solution.scattering.s.resize(Eigen::Index(modes), Eigen::Index(modes));
  solution.x.resize(num_dofs() * modes), solution.source_x.resize(num_dofs() * sources);
  solution.source_waves.resize(Eigen::Index(modes), Eigen::Index(sources));
  return step_of(std::move(solution));
}

job::Arrays DrivenJob::arrays(DrivenStep& step) const {
  const auto entries = [](Eigen::MatrixXcd& m) { return std::span(m.data(), std::size_t(m.size())); };
  auto& solution = step.solution;
  return {{"s", entries(solution.scattering.s)},
          {"x", std::span(solution.x)},
          {"source_x", std::span(solution.source_x)},
          {"source_waves", entries(solution.source_waves)}};
}

void DrivenJob::sweep_adaptively(job::Delivery<DrivenStep>& delivery) {
  const auto sweep = [&](const auto& solve, const auto& begin) {
    auto options = *case_.request.fast;
    options.solve = solve;
    const auto begin_unknown = [&](std::vector<double> frequencies) {
      std::erase_if(frequencies, [&](double f) { return known_.contains(f); });
      begin(frequencies);
    };
    if (!run_.on_cuda()) options.begin = begin_unknown;
    return fem::sweep_band(problem_, case_.request.frequencies, options);
  };
  const auto take = [](DrivenStep& step) {
    return step.is_written ? step.solution : std::move(step.solution);
  };
  model_error_ = fem::sweep_adaptively(
      *this, case_.request, sweep, take,
      [](fem::DrivenSolution s) {
        return DrivenStep{{.is_written = false}, std::move(s)};
      },
      delivery, run_);
}

fem::Shown DrivenJob::shown_mode(std::size_t i, const Eigen::MatrixXcd& s) const {
  const auto& modes = problem_.modes();
  const Eigen::Index m = excited_[i];
  const auto place = modes[std::size_t(m)];
  const fem::Port& port = *problem_.ports()[std::size_t(place.port)];
  double reflected = 0;  // through a port in any of its modes
  for (std::size_t k = 0; k < modes.size(); ++k)
    if (modes[k].port == place.port) reflected += std::norm(s(Eigen::Index(k), m));
  fem::Shown shown{
      .label = fem::mode_label(problem_.ports(), place),
      .suffix = io::excitation_suffix(i, num_shown(), port.excitation_name(std::size_t(place.mode))),
      .feed = results::port_budget(1, reflected, 0)};
  shown.what = ", 1 W incident at " + shown.label;
  return shown;
}

void DrivenJob::show(const DrivenStep& step, const std::function<void(const fem::Shown&)>& take) const {
  const auto& s = step.solution.scattering.s;
  const auto& all = step.solution.x;
  const auto give = [&](fem::Shown shown, std::vector<Complex> x) {
    for (Complex& value : x) value *= scale_;
    shown.x = x.data();
    take(shown);
  };
  for (std::size_t i = 0; i < excited_.size(); ++i) {
    const Complex* x = &all[std::size_t(excited_[i]) * num_dofs()];
    give(shown_mode(i, s), {x, x + num_dofs()});
  }
  if (combined_.is_given())
    give({.label = fem::CombinedExcitation::name,
          .suffix = io::excitation_suffix(excited_.size(), num_shown(), "combined"),
          .what = ", all ports at once",
          .feed = combined_.budget(s)},
         combined_.of(all.data(), num_dofs()));
  receiver_->show(step.solution, take);
}

std::unique_ptr<fem::MaxwellFiles> DrivenJob::make_files(run::Run& run) const {
  return std::make_unique<fem::MaxwellFiles>(problem_.space(), problem_.model(), case_.frequencies.front(),
                                             case_, case_.received.has_waves(), true, run);
}

namespace {

/// Uses error bars of the last pass unless the config requests others; those of media that are not reciprocal
/// do not include facets.
void take_bars(std::vector<fem::ScatteringError> bars, DrivenCase& c) {
  if (c.accuracy.estimate != results::Estimate::automatic || c.accuracy.tolerance) return;
  if (c.mesh.geometry_order == 1 && !fem::has_reciprocal_media(c.model) &&
      fem::shape_variant(c.mesh, c.topology, c.model))
    return;
  c.bars = std::move(bars);
}

/// [Hz] Where gains of ports are a target of passes: with a pattern, in elements up to order 2, whose next
/// order their waves load.
std::optional<double> gains_of_passes(const DrivenCase& c, const job::Refinement& refinement) {
  const bool has_gains = refinement.looks_at_gains && fem::has_gain_errors(c) &&
                         fem::has_reciprocal_media(c.model) && c.model.order < 3 &&
                         refinement.max_order < 3 && !c.request.written.empty();
  if (!has_gains) return std::nullopt;
  const double f = c.request.middle_written();
  return f > 0 ? std::optional(f) : std::nullopt;
}

/// @param known solutions of adaptive passes on this mesh by frequency [Hz]
void solve(const DrivenCase& c, std::map<double, fem::DrivenSolution> known, run::Run& run) {
  fem::check_resolution(c.mesh, c.model, c.frequencies.back(), run);
  fem::check_facets(c.mesh, c.topology, c.model, run);
  DrivenJob problem(c, run);
  problem.know(std::move(known));
  if (problem.serve()) return;
  problem.check();
  const auto sinks = driven_sinks(problem, run);
  if (c.request.fast)
    job::run_by(problem, sinks, run, [&](auto& delivery) { problem.sweep_adaptively(delivery); });
  else
    job::run(problem, sinks, c.request.all(), run);
}

}  // namespace

void solve_ports(const io::Config& config, run::Run& run) {
  config.allow({"refinement", "solver"});
  const auto c = read_driven_case(load_shared_mesh(config, run), config, run);
  const fem::DrivenProblem problem(c.mesh, c.topology, c.model, c.options);
  fem::state_symmetry(problem.ports(), run);
  if (run.dry_run()) return;
  const auto timer = run.stage("ports");
  fem::PortNetwork network(problem.ports(), problem.modes(), c.reference_impedance);
  const auto count = Eigen::Index(network.size());
  for (const double f : c.frequencies) {
    const auto states = problem.mode_states(f);
    std::vector<fem::ModeState> reported;
    for (const Eigen::Index i : problem.reported()) reported.push_back(states[std::size_t(i)]);
    network.add(f, std::move(reported), Eigen::MatrixXcd::Zero(count, count));
  }
  fem::write_port_modes(network, problem.model(), problem.space(), run);
}

void solve_driven(const io::Config& config, run::Run& run) {
  auto refinement = job::read_refinement_or_default(config, job::RefinedProblem::driven, run);
  mesh::Mesh mesh = load_shared_mesh(config, run);
  auto c = std::make_unique<DrivenCase>(read_driven_case(mesh, config, run));
  job::settle(refinement, fem::obstacle_to_port_passes(*c), config, run);
  std::map<double, fem::DrivenSolution> known;
  if (job::begins_passes(refinement, run)) {
    auto refined = fem::refine_for_ports(*refinement, config, std::move(mesh), c->options,
                                         gains_of_passes(*c, *refinement), run);
    c = std::make_unique<DrivenCase>(read_driven_case(std::move(refined.mesh), config, run));
    known = std::move(refined.solutions);
    take_bars(std::move(refined.errors), *c);
  }
  solve(*c, std::move(known), run);
}

}  // namespace curlew::programs
