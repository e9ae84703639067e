// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/driven.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "base/background.hpp"
#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/progress.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/driven/fast_sweep.hpp"
#include "fem/error/scattering_error.hpp"
#include "fem/model/read_port.hpp"
#include "fem/output/field_file.hpp"
#include "fem/output/solution_file.hpp"
#include "fem/system/coarse_order.hpp"
#include "io/array_names.hpp"
#include "io/frequency.hpp"
#include "io/touchstone.hpp"
#include "programs/fem/combined.hpp"
#include "programs/fem/cut_ports.hpp"
#include "programs/fem/maxwell_setup.hpp"
#include "programs/fem/mode_checks.hpp"
#include "programs/fem/near_field_output.hpp"
#include "programs/fem/open_problem.hpp"
#include "programs/fem/planned_check.hpp"
#include "programs/fem/port_errors.hpp"
#include "programs/fem/port_output.hpp"
#include "programs/fem/port_passes.hpp"
#include "programs/fem/received.hpp"
#include "programs/fem/resolution.hpp"
#include "programs/fem/sensitivities.hpp"
#include "programs/fem/several_processes.hpp"
#include "programs/fem/solver_report.hpp"
#include "programs/fem/static_limit.hpp"
#include "programs/fem/sweep_request.hpp"
#include "programs/fem/time_plan.hpp"
#include "run/frequency_sweep.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {

std::vector<Eigen::Index> excited_modes(const std::vector<fem::PortPtr>& ports,
                                        const std::vector<fem::ModePlace>& modes) {
  std::vector<Eigen::Index> chosen;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto& place = modes[i];
    const fem::Port& port = *ports[std::size_t(place.port)];
    if (port.excite && place.mode < port.num_excited()) chosen.push_back(Eigen::Index(i));
  }
  const bool combined =
      std::any_of(ports.begin(), ports.end(), [](const auto& port) { return port->drive.has_value(); });
  if (chosen.empty() && !combined) chosen.push_back(0);
  return chosen;
}

namespace {

/// Everything a problem stands on; the space keeps pointers to mesh and topology.
struct Setup : MaxwellSetup {
  std::optional<Complex> reference_impedance;  ///< [ohm] of S, where a port has none of its own
  int touchstone = 1;                          ///< version of the file of S
};

Setup read_setup(mesh::Mesh mesh, const io::Config& config, run::Run& run) {
  return {read_maxwell_setup(std::move(mesh), config, run),
          fem::read_reference_impedance(config.table("output")),
          io::read_touchstone_version(config.table("output"))};
}

/// One excitation that fields and patterns are written of: 1 W at a mode, or all ports at once.
struct Shown {
  std::string label, suffix, what;  ///< suffix tells arrays of several apart; what stands in descriptions
  results::PowerBudget feed;
  std::vector<Complex> x;  ///< [num_dofs]
};

/// Fields of the modelled part: it sees its share of the power that comes to the whole of a symmetric
/// structure.
class ShownExcitations {
 public:
  ShownExcitations(const fem::DrivenProblem& problem, double copies)
      : problem_(problem),
        combined_(problem.ports(), problem.modes()),
        modes_(excited_modes(problem.ports(), problem.modes())),
        scale_(1 / std::sqrt(copies)) {}

  std::size_t size() const { return modes_.size() + (combined_.is_given() ? 1 : 0); }
  Shown at(std::size_t i, const fem::DrivenSolution& solution) const {
    const auto n = std::size_t(problem_.space().num_dofs());
    Shown shown;
    if (i < modes_.size()) {
      const Eigen::Index m = modes_[i];
      const auto place = problem_.modes()[std::size_t(m)];
      const fem::Port& port = *problem_.ports()[std::size_t(place.port)];
      const Complex* x = &solution.x[std::size_t(m) * n];
      shown = {fem::mode_label(problem_.ports(), place),
               io::excitation_suffix(i, size(), port.excitation_name(std::size_t(place.mode))),
               "",
               feed_of(m, solution.scattering.s),
               {x, x + n}};
      shown.what = ", 1 W incident at " + shown.label;
    } else {
      shown = {CombinedExcitation::name, io::excitation_suffix(i, size(), "combined"), ", all ports at once",
               combined_.budget(solution.scattering.s), combined_.of(solution.x.data(), n)};
    }
    for (Complex& x : shown.x) x *= scale_;
    return shown;
  }

 private:
  /// What returns through a port does so in any of its modes.
  results::PowerBudget feed_of(Eigen::Index mode, const Eigen::MatrixXcd& s) const {
    const auto& modes = problem_.modes();
    double reflected = 0;
    for (std::size_t i = 0; i < modes.size(); ++i)
      if (modes[i].port == modes[std::size_t(mode)].port) reflected += std::norm(s(Eigen::Index(i), mode));
    return results::port_budget(1, reflected, 0);
  }

  const fem::DrivenProblem& problem_;
  CombinedExcitation combined_;
  std::vector<Eigen::Index> modes_;
  double scale_;
};

/// Files of fields, patterns and unknowns of solutions.
class SolutionOutput {
 public:
  SolutionOutput(const fem::DrivenProblem& problem, double frequency, const Setup& setup,
                 ReceivedOutput& received, Sensitivities& sensitivities, run::Run& run)
      : problem_(problem),
        received_(received),
        sensitivities_(sensitivities),
        run_(run),
        copies_(copies_of_whole(setup)),
        excitations_(problem, copies_),
        file_(run.output("solution.h5"), problem.space(), setup.mesh, run.provenance()) {
    if (setup.write_fields)
      fields_.emplace(problem.space(), problem.model(), frequency, setup.field_cells,
                      run.output("fields.vtkhdf"), run.provenance());
    if (setup.far_field)
      far_ = std::make_unique<FarFieldOutput>(problem.space(), problem.model(), *setup.far_field,
                                              received.has_waves(), true, run);
    if (!setup.near_fields.empty()) near_ = std::make_unique<NearFieldOutput>(problem.space(), setup, run);
  }
  /// In ascending order of frequency.
  void add(const fem::DrivenSolution& solution) {
    write(solution);
    sensitivities_.add(problem_, solution);
  }
  /// True if add() may run while the problem solves another frequency: derivatives ask the problem itself.
  bool may_wait() const { return sensitivities_.is_empty(); }
  void close() {
    {
      const ScopedStage timed(stages_, run::results_stage);
      if (fields_) fields_->close();
      if (far_) far_->close();
      if (near_) near_->close();
      received_.close(run_);
      file_.close();
    }
    run::add_stages(stages_, run_);
    sensitivities_.close();
  }

 private:
  void write(const fem::DrivenSolution& solution) {
    const ScopedStage timed(stages_, run::results_stage);
    const double frequency = solution.frequency;
    if (fields_) fields_->begin_step(frequency);
    if (near_) near_->begin_step(frequency);
    for (std::size_t i = 0; i < excitations_.size(); ++i) {
      const Shown shown = excitations_.at(i, solution);
      if (fields_) fields_->add(shown.x.data(), frequency, shown.suffix, "", shown.what);
      if (far_) far_->add_feed(shown.label, shown.feed, shown.x.data(), frequency);
      if (near_) near_->add(shown.label, shown.suffix, shown.x.data(), frequency);
      file_.add(frequency, shown.label, shown.x.data());
    }
    if (!received_.is_empty())
      received_.add(problem_, solution, copies_, far_.get(), near_.get(), file_, run_);
  }

  const fem::DrivenProblem& problem_;
  ReceivedOutput& received_;
  Sensitivities& sensitivities_;
  run::Run& run_;
  Stages stages_;  ///< of the thread that writes
  double copies_;
  ShownExcitations excitations_;
  fem::SolutionFile file_;
  std::optional<fem::FieldFile> fields_;
  std::unique_ptr<FarFieldOutput> far_;
  std::unique_ptr<NearFieldOutput> near_;
};

/// S everywhere, and where full solutions stand behind it [Hz].
struct Sweep {
  std::vector<fem::DrivenSolution> solutions;
  std::vector<double> solved;
  double model_error = 0;  ///< of S between those
};

/// S at all frequencies; then what is written, each from a solution of its own: the reduced model answers for
/// S alone.
Sweep adaptive_sweep(fem::DrivenProblem& problem, const SweepRequest& request, SolutionOutput& output,
                     run::Run& run) {
  std::map<double, fem::DrivenSolution> known;
  auto options = *request.fast;
  options.on_solution = [&](const fem::DrivenSolution& solution) {
    state_solve(solution.solver, run);
    if (request.is_written(solution.frequency)) known[solution.frequency] = solution;
    check_interrupt();
  };
  auto result = fem::sweep_band(problem, request.frequencies, options);
  state_sweep(result, run);
  Background writer(output.may_wait() ? 1 : 0);
  for (const double f : request.written) {
    auto found = known.extract(f);
    const auto solution =
        std::make_shared<fem::DrivenSolution>(found.empty() ? problem.solve(f) : std::move(found.mapped()));
    if (found.empty()) state_solve(solution->solver, run);
    writer.add([&output, solution] { output.add(*solution); });
    check_interrupt();
  }
  writer.finish();
  return {std::move(result.solutions), std::move(result.solved), result.error_estimate};
}

std::span<const Complex> entries(const Eigen::MatrixXcd& matrix) {
  return {matrix.data(), std::size_t(matrix.size())};
}

using KnownSolutions = std::map<double, fem::DrivenSolution>;  // [Hz]

/// A solution, which nobody changes until it is written.
struct Solved {
  fem::DrivenSolution solution;
  bool is_new = true;  ///< not kept by an interrupted run
};

/// @param[in,out] known_before of the last pass, each is taken once
std::shared_ptr<Solved> solve_or_find(fem::DrivenProblem& problem, std::size_t number, double f,
                                      ReceivedOutput& received, KnownSolutions& known_before,
                                      const run::FrequencySweep& sweep, run::Run& run) {
  const auto loads = received.loads(problem, f);
  if (auto passed = known_before.extract(f); loads.empty() && !passed.empty()) {
    problem.mode_states(f);  // are followed upwards
    return std::make_shared<Solved>(Solved{std::move(passed.mapped())});
  }
  if (auto known = sweep.find(number)) {
    fem::DrivenSolution solution;
    solution.frequency = f;
    const auto states = problem.mode_states(f);
    for (const Eigen::Index i : problem.reported()) solution.modes.push_back(states[std::size_t(i)]);
    const auto modes = Eigen::Index(problem.modes().size());
    auto& arrays = *known;
    solution.scattering.s = Eigen::Map<Eigen::MatrixXcd>(arrays["s"].data(), modes, modes);
    solution.x = std::move(arrays["x"]), solution.source_x = std::move(arrays["source_x"]);
    auto& waves = arrays["source_waves"];
    solution.source_waves =
        Eigen::Map<Eigen::MatrixXcd>(waves.data(), modes, Eigen::Index(waves.size()) / modes);
    return std::make_shared<Solved>(Solved{std::move(solution), false});
  }
  auto solved = std::make_shared<Solved>(Solved{problem.solve(f, loads)});
  state_solve(solved->solution.solver, run);
  return solved;
}

void keep(std::size_t number, const Solved& solved, const run::FrequencySweep& sweep) {
  const auto& solution = solved.solution;
  if (solved.is_new)
    sweep.keep(number, {{"s", entries(solution.scattering.s)},
                        {"x", solution.x},
                        {"source_x", solution.source_x},
                        {"source_waves", entries(solution.source_waves)}});
}

/// Full solutions at all frequencies, and at those that are written beside them.
Sweep full_sweep(fem::DrivenProblem& problem, const SweepRequest& request, ReceivedOutput& received,
                 KnownSolutions& known, SolutionOutput& output, run::Run& run) {
  const auto all = request.all();
  const auto& frequencies = request.frequencies;
  std::vector<fem::DrivenSolution> solutions;
  Progress progress("frequencies", long(all.size()));
  std::vector<double> done;
  run::FrequencySweep sweep(all, run);
  const auto write = [&](std::size_t number, double f, Solved& solved) {
    keep(number, solved, sweep);
    auto& solution = solved.solution;
    if (request.is_written(f)) output.add(solution);
    solution.x = solution.source_x = {};
    if (std::binary_search(frequencies.begin(), frequencies.end(), f))
      solutions.push_back(std::move(solution));
    progress.update(long(number + 1));
    done.push_back(f);
  };
  sweep.each_behind([&](std::size_t number, double f, Background& writer) {
    const auto solved = solve_or_find(problem, number, f, received, known, sweep, run);
    writer.add([&, number, f, solved] { write(number, f, *solved); });
    if (!output.may_wait()) writer.finish();
  });
  return {std::move(solutions), std::move(done)};
}

Sweep sweep(fem::DrivenProblem& problem, const SweepRequest& request, ReceivedOutput& received,
            KnownSolutions& known, SolutionOutput& output, run::Run& run) {
  auto solutions = request.fast ? adaptive_sweep(problem, request, output, run)
                                : full_sweep(problem, request, received, known, output, run);
  output.close();
  return solutions;
}

/// Full solutions of an adaptive sweep, as most bands take.
constexpr double fast_solutions = 7;

/// What a config asks for, on a mesh.
class DrivenRun {
 public:
  /// Reads and checks everything. @throws InputError with file and line, for unknown keys too
  DrivenRun(mesh::Mesh mesh, const io::Config& config, run::Run& run);
  void solve();
  /// The modes of the ports at every frequency: ports.csv and the table, without any system.
  void solve_ports();
  const fem::DrivenOptions& options() const { return options_; }
  /// What passes have solved on this mesh, and its bars: they stand where the config asks for no others.
  void know(RefinedPorts passed) {
    known_ = std::move(passed.solutions);
    if (takes_any_bars_) bars_ = std::move(passed.errors);
  }

 private:
  /// Frequencies that are solved; of an adaptive sweep as most bands take, beside those that are written.
  double expected_solutions() const;
  void plan_time(const fem::DrivenProblem& problem, const PlannedCheck& check);
  void state_results(const fem::DrivenProblem& problem, const PlannedCheck& check, const Sweep& swept);

  run::Run& run_;
  std::vector<double> frequencies_;
  fem::DrivenOptions options_;
  results::ErrorReport errors_;
  Setup setup_;
  StaticLimit limit_;  // puts the lowest of the frequencies in the place of 0
  ReceivedOutput received_;
  Sensitivities sensitivities_;
  SweepRequest request_;
  KnownSolutions known_;
  bool takes_any_bars_;
  std::vector<fem::ScatteringError> bars_;  // of the last pass
};

DrivenRun::DrivenRun(mesh::Mesh mesh, const io::Config& config, run::Run& run)
    : run_(run),
      frequencies_(io::frequencies(config, io::Lowest::zero)),
      options_(fem::read_driven_options(config, run.device())),
      errors_(results::read_accuracy(config), run, results::with_refinement),
      setup_(read_setup(std::move(mesh), config, run)),
      limit_(frequencies_, setup_.mesh, setup_.model),
      received_(config, setup_),
      sensitivities_(read_parameters(config, {setup_.mesh, setup_.topology, setup_.model}, run),
                     setup_.reference_impedance, run) {
  options_.frequencies = int(frequencies_.size());
  fem::choose_coarse_order(setup_.mesh, setup_.model, frequencies_.back(), options_);
  const bool fields_asked = setup_.write_fields || setup_.far_field || !setup_.near_fields.empty();
  request_ = read_sweep(config, frequencies_, fields_asked, !received_.is_empty());
  limit_.leave_out(request_.written, fields_asked, config);
  const auto accuracy = results::read_accuracy(config);
  takes_any_bars_ = accuracy.estimate == results::Estimate::automatic && !accuracy.tolerance;
  config.check_unknown_keys();
}

void DrivenRun::solve() {
  check_resolution(setup_.mesh, setup_.model, frequencies_.back(), run_);
  check_facets(setup_.mesh, setup_.topology, setup_.model, run_);
  auto options = options_;
  options.spread = true;
  fem::DrivenProblem problem(setup_.mesh, setup_.topology, setup_.model, std::move(options));
  if (problem.serve()) return;
  limit_.require(problem, !received_.is_empty());
  problem.require_resolvable(frequencies_, !received_.is_empty());
  check_modes(problem, frequencies_, setup_.reference_impedance, run_);
  state_symmetry(problem.ports(), run_);
  state_sizes(problem.space(), problem.nnz(), run_);
  std::optional<SolutionOutput> output;
  if (!run_.dry_run())  // here, as the points of the fields are written behind the analysis
    output.emplace(problem, request_.frequencies[0], setup_, received_, sensitivities_, run_);
  {
    const auto timer = run_.stage("analysis");
    problem.analyse();
  }
  state_solver(problem.solver_info(), run_);
  if (!request_.fast)
    run::plan_waiting(run_, request_.all().size(),
                      sizeof(Complex) * std::size_t(problem.space().num_dofs()) * problem.modes().size());
  if (setup_.mesh.geometry_order == 1 && fem::shape_variant(setup_.mesh, setup_.topology, problem.model()))
    bars_.clear();  // residuals know nothing of facets
  const auto check = !bars_.empty()
                         ? PlannedCheck()
                         : plan_check(setup_.mesh, setup_.topology, problem.model(),
                                      {problem.nnz(), problem.solver_info(), expected_solutions()}, errors_);
  if (run_.dry_run()) return plan_time(problem, check);

  Sweep swept;
  {
    const auto timer = run_.stage("frequencies");
    swept = sweep(problem, request_, received_, known_, *output, run_);
  }
  state_stages(problem.stages(), run_);
  state_results(problem, check, swept);
}

void DrivenRun::solve_ports() {
  const fem::DrivenProblem problem(setup_.mesh, setup_.topology, setup_.model, options_);
  state_symmetry(problem.ports(), run_);
  if (run_.dry_run()) return;
  const auto timer = run_.stage("ports");
  fem::PortNetwork network(problem.ports(), problem.modes(), setup_.reference_impedance);
  const auto count = Eigen::Index(network.size());
  for (const double f : frequencies_) {
    const auto states = problem.mode_states(f);
    std::vector<fem::ModeState> reported;
    for (const Eigen::Index i : problem.reported()) reported.push_back(states[std::size_t(i)]);
    network.add(f, std::move(reported), Eigen::MatrixXcd::Zero(count, count));
  }
  write_port_modes(network, problem.model(), problem.space(), run_);
}

double DrivenRun::expected_solutions() const {
  const auto all = double(request_.all().size());
  return request_.fast ? std::min(all, fast_solutions + double(request_.written.size())) : all;
}

void DrivenRun::plan_time(const fem::DrivenProblem& problem, const PlannedCheck& check) {
  const auto modes = double(problem.modes().size());
  FemWork work{.solutions = expected_solutions(), .right_hand_sides = modes};
  if (setup_.write_fields)
    work.written =
        double(request_.written.size() * ShownExcitations(problem, copies_of_whole(setup_)).size());
  work.field_cells = setup_.field_cells;
  work.check = check.price;
  work.checks = double(estimated_frequencies(check, frequencies_.size(), work.solutions, errors_));
  if (work.checks >= double(fem::swept_from)) work.checks = fem::sweep_solutions;
  plan_fem_seconds(problem.space(), problem.solver_info(), work, run_);
}

void DrivenRun::state_results(const fem::DrivenProblem& problem, const PlannedCheck& check,
                              const Sweep& swept) {
  fem::PortNetwork network(problem.ports(), problem.modes(), setup_.reference_impedance);
  Stages stages;
  {
    const ScopedStage timed(stages, run::results_stage);  // after Ctrl-C too: of the frequencies before
    CombinedExcitation combined(problem.ports(), problem.modes());
    for (const auto& solution : swept.solutions) {
      limit_.add(solution, network);
      const auto& point = network.points().back();
      combined.add(point.frequency, point.modal, run_);
    }
    combined.close(run_);
    write_network(network, problem.model(), problem.space(), setup_.touchstone, run_);
  }
  run::add_stages(stages, run_);
  state_port_errors({setup_.mesh, setup_.topology, problem, options_, setup_.reference_impedance,
                     frequencies_, check, bars_},
                    network, swept.model_error, swept.solved, errors_, run_);
  check_network(network, problem.has_symmetric_scattering(), problem.model().is_lossless(), run_);
}

}  // namespace

void solve_ports(const io::Config& config, run::Run& run) {
  config.allow({"refinement", "solver"});
  DrivenRun(load_shared_mesh(config, run), config, run).solve_ports();
}

void solve_driven(const io::Config& config, run::Run& run) {
  const auto refinement = read_refinement_or_default(config, RefinedProblem::driven, run);
  mesh::Mesh mesh = load_shared_mesh(config, run);
  auto driven = std::make_unique<DrivenRun>(mesh, config, run);
  state_first_mesh(refinement, run);
  if (refinement && !run.dry_run()) {
    auto refined = refine_for_ports(*refinement, config, std::move(mesh), driven->options(), run);
    driven = std::make_unique<DrivenRun>(std::move(refined.mesh), config, run);
    driven->know(std::move(refined));
  }
  driven->solve();
  if (refinement) forget_refinement(run);
}

}  // namespace curlew::programs
