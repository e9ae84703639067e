// SPDX-License-Identifier: BSD-3-Clause
// fe-iiee: radiation and scattering by finite elements, truncated close to the body by the iteration with its
// own radiated field.

#include "programs/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/driven/low_frequency.hpp"
#include "fem/driven/rational_sweep.hpp"
#include "fem/model/read_port.hpp"
#include "fem/model/region_rules.hpp"
#include "fem/model/split_surfaces.hpp"
#include "fem/output/solution_file.hpp"
#include "fem/system/coarse_order.hpp"
#include "io/frequency.hpp"
#include "io/touchstone.hpp"
#include "linalg/dense/machine_speed.hpp"
#include "linalg/direct/gpu_start.hpp"
#include "programs/fe_iiee/errors.hpp"
#include "programs/fe_iiee/near_field.hpp"
#include "programs/fe_iiee/output.hpp"
#include "programs/fe_iiee/passes.hpp"
#include "programs/fe_iiee/sensitivities.hpp"
#include "programs/fe_iiee/solver.hpp"
#include "programs/fem/mode_checks.hpp"
#include "programs/fem/port_output.hpp"
#include "programs/fem/resolution.hpp"
#include "programs/fem/several_processes.hpp"
#include "programs/fem/solver_report.hpp"
#include "programs/fem/time_plan.hpp"
#include "run/frequency_sweep.hpp"
#include "run/run_app.hpp"
#include "run/time_plan.hpp"
#include "truncation/shared_radiation.hpp"
#include "truncation/symmetric_parts.hpp"

namespace {

using namespace curlew;
using namespace curlew::fe_iiee;

/// Dipoles and currents; waves are read apart.
std::vector<fem::Excitation> read_sources(const io::Config& config, const mesh::Mesh& mesh) {
  auto sources = fem::read_excitations(config, mesh);
  for (const auto& source : sources) {
    if (source.wave)
      config.error("excitation", "plane waves cannot be combined with dipoles or currents: give one kind");
    if (source.formulation == fem::Formulation::scattered)
      config.error("excitation", "fe-iiee solves for the total field: leave formulation out");
  }
  return sources;
}

mesh::Mesh first_mesh(const io::Config& config, run::Run& run) {
  return programs::load_shared_mesh(config, run,
                                    truncation::surround_arguments(config, io::frequencies(config)));
}

Setup read_setup(mesh::Mesh mesh, const io::Config& config, run::Run& run) {
  Setup s;
  const auto frequencies = io::frequencies(config);
  s.options = truncation::read_truncation(config);
  s.options.solver = fem::read_driven_options(config, run.device());
  s.options.device = run.device();
  s.waves = truncation::read_waves(config);
  // Every step of the truncation is a solve; some ten of them do.
  s.options.solver.frequencies = int(frequencies.size());
  s.options.solver.spread = true;
  // Nor do factors in single precision pay where each of many solutions is refined.
  if (s.options.solver.numbers == linalg::FactorNumbers::automatic)
    s.options.solver.numbers = linalg::FactorNumbers::double_precision;
  s.options.solver.right_hand_sides = 10 * std::max(1, int(s.waves.size()));
  s.accuracy = results::read_accuracy(config);
  s.far_field = truncation::read_far_field_request(config);
  s.write_fields = config.table("output").get_or<bool>("fields", true);
  s.field_cells = fem::read_field_cells(config);
  s.mesh = std::move(mesh);
  fem::split_surfaces(config, s.mesh);
  s.topology = mesh::build_topology(s.mesh);
  if (s.waves.empty()) s.sources = read_sources(config, s.mesh);
  s.model = fem::read_model(config, s.mesh, s.topology, elsewhere_of(s));
  fem::choose_coarse_order(s.mesh, s.model, *std::max_element(frequencies.begin(), frequencies.end()),
                           s.options.solver);
  s.near_fields = io::read_near_fields(config, fem::length_unit(config));
  s.sweep =
      programs::read_sweep(config, frequencies, true, !s.is_driven_by_ports(), s.options.iteration.tolerance);
  if (s.sweep.fast)
    config.table("frequency")
        .require(s.sweep.fast->tolerance >= 10 * s.options.iteration.tolerance, "adaptive_tolerance",
                 fmt::format(
                     "adaptive_tolerance must be at least ten times truncation.tolerance = {:g}, the error "
                     "of the solutions that it interpolates",
                     s.options.iteration.tolerance));
  s.reference_impedance = fem::read_reference_impedance(config.table("output"));
  s.touchstone = io::read_touchstone_version(config.table("output"));
  config.allow({"sensitivity"});
  config.check_unknown_keys();
  if (s.is_driven_by_ports() && s.model.ports.empty())
    throw InputError(
        fmt::format("{}: nothing drives the problem: add [excitation] or a [[port]]", config.file()));
  for (const auto& port : s.model.ports)
    if (port.drive && !s.is_driven_by_ports())
      config.error(
          "excitation",
          fmt::format(
              "with an [excitation] the ports are matched: leave out amplitude and phase of port \"{}\"",
              port.region));
  return s;
}

/// The files of solutions, a step per frequency.
class SolutionOutput {
 public:
  SolutionOutput(const Setup& setup, TruncatedProblem& problem, ErrorOutput& errors,
                 TruncatedSensitivities& sensitivities, run::Run& run)
      : problem_(problem),
        sensitivities_(sensitivities),
        run_(run),
        combined_(problem.system().ports(), problem.system().modes()),
        errors_(errors),
        unknowns_(run.output("solution.h5"), problem.system().space(), setup.mesh, run.provenance()) {
    if (setup.waves.empty())
      radiation_.emplace(setup, run);
    else
      scattering_.emplace(setup, run);
    if (!setup.near_fields.empty()) near_.emplace(setup, problem, run);
    if (setup.write_fields) fields_.emplace(setup, problem, run);
  }
  /// Solves for it, which may take longer than the solution: before what may not be interrupted.
  void estimate_error(double frequency, const Solved& solved) {
    errors_.add(frequency, problem_, solved.result, solved.drive);
  }
  /// In ascending order of frequency.
  void add(double frequency, Solved solved) {
    sensitivities_.add(frequency, problem_, solved);
    auto& [drive, result, ports] = solved;
    const auto timer = run_.stage(run::results_stage);
    if (!drive.ports.empty()) add_combined(combined_, problem_, drive, result);
    if (scattering_) scattering_->add(frequency, problem_, result);
    if (radiation_) radiation_->add(frequency, problem_, result, drive, combined_, ports.scattering.s);
    if (fields_) fields_->add(frequency, result, drive);
    if (near_) near_->add(frequency, problem_, result, drive);
    for (const std::size_t c : drive.shown)
      unknowns_.add(frequency, drive.labels[c],
                    &result.x[c * std::size_t(problem_.system().space().num_dofs())]);
  }
  void close() {
    unknowns_.close();
    if (scattering_) scattering_->close();
    if (radiation_) radiation_->close();
    if (fields_) fields_->close();
    if (near_) near_->close();
    sensitivities_.close();
  }

 private:
  TruncatedProblem& problem_;
  TruncatedSensitivities& sensitivities_;
  run::Run& run_;
  programs::CombinedExcitation combined_;
  ErrorOutput& errors_;
  fem::SolutionFile unknowns_;
  std::optional<ScatteringOutput> scattering_;
  std::optional<RadiationOutput> radiation_;
  std::optional<FieldOutput> fields_;
  std::optional<TruncatedNearField> near_;
};

void state_sizes(const Setup& s, const TruncatedProblem& problem, run::Run& run) {
  const auto& surfaces = problem.surfaces();
  run.size("cells", s.mesh.num_cells());
  run.size("unknowns", problem.system().space().num_dofs());
  run.size("nonzeros", long(problem.system().nnz()));
  run.size("inner_triangles", long(surfaces.inner.size()));
  run.size("outer_triangles", long(surfaces.outer.size()));
  run.size("source_points", long(problem.inner_points().size()));
  run.size("observation_points", long(problem.num_observers()));
  double wavelength = std::numeric_limits<double>::max();
  for (const double f : s.sweep.frequencies)
    wavelength = std::min(wavelength, 2 * pi / problem.exterior(f).k);
  log::info("{} cells, order {}, {} unknowns; {} triangles on \"{}\", {} on \"{}\", {:.3g} wavelengths apart",
            s.mesh.num_cells(), s.model.order, problem.system().space().num_dofs(), surfaces.inner.size(),
            s.options.names.inner, surfaces.outer.size(), s.options.names.outer,
            surfaces.distance / wavelength);
  if (surfaces.element_size > wavelength / 2)
    run.warn(fmt::format("edges on \"{}\" are {:.3g} wavelengths long on average: the mesh is too coarse",
                         s.options.names.inner, surfaces.element_size / wavelength));
  if (!surfaces.is_convex)
    run.warn(
        fmt::format("the outer surface \"{}\" is not convex: the iteration may converge slowly or not at all",
                    s.options.names.outer));
}

// Found from the cases of tests/scripts/time_test.py.
constexpr double iterations = 8;
constexpr double radiation_flops = 500;  // a pair of points and column, at the speed of dense products

/// Seconds of solutions and of the integrals over the inner surface. Nothing outside of dry runs.
void plan_time(const Setup& s, const TruncatedProblem& problem, const ErrorOutput& errors, run::Run& run) {
  if (!run.dry_run() || run.on_cuda()) return;
  const auto& system = problem.system();
  const auto columns =
      double(s.is_driven_by_ports() ? system.modes().size()
                                    : s.waves.size() + s.duals.added.size() + s.sources.size());
  const auto steps = double(s.sweep.all().size());
  const double pairs = double(problem.inner_points().size()) * double(problem.num_observers());
  programs::plan_fem_seconds(system.space(), system.solver_info(),
                             {.solutions = steps,
                              .right_hand_sides = columns * (1 + iterations),
                              .written = s.write_fields ? columns * double(s.sweep.written.size()) : 0,
                              .field_cells = s.field_cells,
                              .check = errors.price(),
                              .checks = errors.checks()},
                             run);
  const int processes = truncation::processes_that_radiate(run.device());
  const double flops = columns * iterations * radiation_flops * pairs,
               speed = linalg::measure_speed().dense_flops,
               checked = errors.checks() * double(errors.price().systems.size());
  run::plan_seconds(run, "radiation", steps * flops / processes / speed);
  if (checked > 0) run::plan_seconds(run, "error estimate", checked * flops / speed);
}

/// @param solutions one per frequency; their x is not read
void write_ports(const Setup& setup, const truncation::OpenSystem& system,
                 const std::vector<fem::DrivenSolution>& solutions, run::Run& run) {
  fem::PortNetwork network(system.ports(), system.modes(), setup.reference_impedance);
  for (const auto& solution : solutions)
    network.add(solution.frequency, solution.modes, solution.scattering.s);
  programs::write_network(network, setup.model, system.space(), setup.touchstone, run);
  programs::CombinedExcitation combined(system.ports(), system.modes());
  for (const auto& point : network.points()) combined.add(point.frequency, point.modal, run);
  combined.close(run);
  // Open: power leaves by other ways than ports.
  programs::check_network(network, system.has_symmetric_scattering(), false, run);
}

/// S at all frequencies from a few solutions; then what is written, each from a solution of its own.
std::vector<fem::DrivenSolution> adaptive_sweep(const Setup& setup, TruncatedProblem& problem, Solver& solver,
                                                SolutionOutput& output, run::Run& run) {
  std::map<double, Solved> known;
  fem::RationalModel model;
  const auto solve = [&](double f) {
    check_interrupt();
    Solved solved = solver.at(f);
    fem::DrivenSolution ports = solved.ports;
    ports.x = solved.result.x;
    if (setup.sweep.is_written(f)) known.emplace(f, std::move(solved));
    return ports;
  };
  auto swept =
      fem::adaptive_sweep(problem.system(), setup.sweep.frequencies, *setup.sweep.fast, solve, model);
  programs::state_sweep(swept, run);
  for (const double f : setup.sweep.written) {
    check_interrupt();
    auto found = known.extract(f);
    Solved solved = found.empty() ? solver.at(f) : std::move(found.mapped());
    output.estimate_error(f, solved);
    output.add(f, std::move(solved));
  }
  return std::move(swept.solutions);
}

/// @return S of the frequencies that are done
std::vector<fem::DrivenSolution> full_sweep(const Setup& setup, Solver& solver, SolutionOutput& output,
                                            run::Carried& errors, const Stages& stages, run::Run& run) {
  std::vector<fem::DrivenSolution> ported;
  run::FrequencySweep sweep(setup.sweep.all(), run);
  sweep.carry(errors);
  sweep.watch(stages);
  const bool complete = sweep.each([&](std::size_t number, double f) {
    auto known = sweep.find(number);
    const bool is_new = !known;
    Solved solved = is_new ? solver.at(f) : solver.restored(f, std::move(*known));
    if (is_new) {
      const auto arrays = solver.kept(f, solved);
      sweep.keep(number, {arrays.begin(), arrays.end()});
    }
    sweep.finish_solution(number, [&] {
      if (setup.sweep.is_written(f)) output.estimate_error(f, solved);
    });
    const InterruptHold hold;
    const auto& asked = setup.sweep.frequencies;
    if (setup.is_driven_by_ports() && std::binary_search(asked.begin(), asked.end(), f))
      ported.push_back(solved.ports);
    if (setup.sweep.is_written(f)) output.add(f, std::move(solved));
  });
  if (complete) solver.remove_checkpoint();
  return ported;
}

void solve_all(const Setup& setup, TruncatedProblem& problem, ErrorOutput& errors,
               TruncatedSensitivities& sensitivities, run::Run& run) {
  Solver solver(setup, problem, run);
  SolutionOutput output(setup, problem, errors, sensitivities, run);
  const auto ported = setup.sweep.fast
                          ? adaptive_sweep(setup, problem, solver, output, run)
                          : full_sweep(setup, solver, output, errors.report(), problem.stages(), run);
  solver.close();
  output.close();
  if (!ported.empty()) write_ports(setup, problem.system(), ported, run);
  errors.close();
}

void solve(const io::Config& config, run::Run& run) {
  const auto starting = linalg::start_gpu_solver(run.device());
  auto refinement = programs::read_refinement_or_default(config, programs::RefinedProblem::truncated, run);
  if (refinement) refinement->surround = truncation::surround_arguments(config, io::frequencies(config));
  if (refinement && programs::serve_whole_matrices()) return;
  mesh::Mesh mesh = first_mesh(config, run);
  if (refinement) {
    const Setup first = read_setup(mesh, config, run);
    programs::settle(refinement, obstacle_to_passes(first), config, run);
    if (refinement) require_target(*refinement, first, config);
    programs::state_first_mesh(refinement, run);
    if (refinement && !run.dry_run())
      mesh = refine_truncated(
          *refinement, config, std::move(mesh),
          [&](const mesh::Mesh& of) { return read_setup(of, config, run); }, run);
  }
  Setup setup = read_setup(std::move(mesh), config, run);
  if (config.has("sensitivity")) add_dual_waves(setup);
  programs::check_resolution(
      setup.mesh, setup.model,
      *std::max_element(setup.sweep.frequencies.begin(), setup.sweep.frequencies.end()), run);
  programs::check_facets(setup.mesh, setup.topology, setup.model, run);
  fem::ChargeRounding(setup.mesh, setup.model)
      .require(setup.model, setup.sweep.frequencies.front(), "[truncation]");
  const fem::Model model =
      setup.splits() ? truncation::with_planes(setup.model, setup.options.names, 0) : setup.model;
  if (setup.splits() && programs::serve_whole_matrices()) return;
  if (TruncatedProblem::serve(setup.mesh, setup.topology, model, setup.options)) return;
  TruncatedProblem problem(setup.mesh, setup.topology, model, setup.options);
  programs::check_modes(problem.system(), setup.sweep.frequencies, setup.reference_impedance, run);
  for (const double f : setup.sweep.frequencies) problem.exterior(f);
  state_sizes(setup, problem, run);
  {
    const auto timer = run.stage("analysis");
    problem.system().analyse();
  }
  programs::state_solver(problem.system().solver_info(), run);
  ErrorOutput errors(setup, problem, setup.accuracy, run);
  TruncatedSensitivities sensitivities(config, setup, problem, run);
  if (run.dry_run()) return plan_time(setup, problem, errors, run);
  solve_all(setup, problem, errors, sensitivities, run);
  if (refinement) programs::forget_refinement(run);
}

}  // namespace

int curlew::programs::fe_iiee(int argc, char** argv) {
  return run::run_app({.name = "fe-iiee",
                       .summary = "Radiation and scattering by finite elements whose mesh ends close to the "
                                  "body, by iteration with the radiated field.",
                       .example = "fe-iiee configs/sphere_in_air.toml --set truncation.tolerance=1e-5"},
                      argc, argv, solve);
}
