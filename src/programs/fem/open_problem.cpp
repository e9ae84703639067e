// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/open_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/wavenumber.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/driven/low_frequency.hpp"
#include "fem/fields.hpp"
#include "fem/open/pml.hpp"
#include "fem/open/symmetric_waves.hpp"
#include "fem/output/field_file.hpp"
#include "fem/output/solution_file.hpp"
#include "fem/system/coarse_order.hpp"
#include "fem/transfer.hpp"
#include "io/array_names.hpp"
#include "io/frequency.hpp"
#include "mesh/regions.hpp"
#include "programs/fem/maxwell_setup.hpp"
#include "programs/fem/near_field_output.hpp"
#include "programs/fem/open_errors.hpp"
#include "programs/fem/resolution.hpp"
#include "programs/fem/sensitivities.hpp"
#include "programs/fem/several_processes.hpp"
#include "programs/fem/solver_report.hpp"
#include "programs/fem/time_plan.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::programs {
namespace {

struct Setup : MaxwellSetup {
  std::vector<fem::Excitation> excitations;
  bool splits = false;  ///< waves without the symmetry are solved by parts
};

/// @param may_split one system is not enough for waves without the symmetry
Setup read_setup(const io::Config& config, run::Run& run, bool may_split) {
  Setup setup{read_maxwell_setup(config, run), {}};
  setup.excitations = fem::read_excitations(config, setup.mesh);
  fem::check_excitations(config, setup.excitations, setup.model, setup.mesh);
  setup.splits = may_split && fem::needs_parts(setup.symmetry, setup.excitations);
  if (setup.splits && !setup.near_fields.empty())
    config.table("output").error(
        "near_field",
        "a wave without the symmetry of [[symmetry]] has no near fields yet: model the "
        "whole body, or take fe-iiee");
  fem::apply_symmetry(config, setup.symmetry, setup.mesh, setup.excitations, setup.splits);
  fem::choose_formulation(config, setup.excitations, setup.model, setup.mesh, setup.topology);
  return setup;
}

bool is_wave(const fem::Excitation& e) {
  return e.wave.has_value();
}

/// Those with results of their own.
std::span<const fem::Excitation> shown_of(const fem::OpenProblem& problem) {
  const auto& all = problem.excitations();
  return {all.begin(), std::find_if(all.begin(), all.end(), std::mem_fn(&fem::Excitation::is_dual))};
}

/// E and H of every excitation; where a field is known the scattered and the total one.
void add_fields(const fem::OpenProblem& problem, const fem::OpenSolution& solution, fem::FieldFile& out) {
  const auto excitations = shown_of(problem);
  const double f = solution.frequency;
  out.begin_step(f);
  for (std::size_t i = 0; i < excitations.size(); ++i) {
    const Complex* x = &solution.x[i * std::size_t(problem.space().num_dofs())];
    const std::string suffix = io::excitation_suffix(i, excitations.size());
    const std::string what = ", " + excitations[i].label;
    if (!excitations[i].is_scattered()) {
      out.add(x, f, suffix, "", what);
      continue;
    }
    out.add(x, f, "_scattered" + suffix, "scattered ", what);
    out.add(x, f, suffix, "", what, fem::incident_field(excitations[i], wavenumber(f)));
  }
}

/// @param copies of the modelled part in the whole structure
void add_far_fields(const fem::OpenProblem& problem, const fem::OpenSolution& solution, double copies,
                    FarFieldOutput& out) {
  const double k0 = wavenumber(solution.frequency);
  for (std::size_t i = 0; i < shown_of(problem).size(); ++i) {
    const auto& e = problem.excitations()[i];
    const Complex* x = &solution.x[i * std::size_t(problem.space().num_dofs())];
    if (is_wave(e)) {
      out.add_wave(e, x, solution.frequency);
      continue;
    }
    const auto known = e.background ? fem::incident_field(e, k0) : nullptr;
    out.add_feed(e.label, results::source_budget(copies * solution.source_power[i], 0), x, solution.frequency,
                 known);
  }
}

void add_near_fields(const fem::OpenProblem& problem, const fem::OpenSolution& solution,
                     NearFieldOutput& out) {
  out.begin_step(solution.frequency);
  const double k0 = wavenumber(solution.frequency);
  for (std::size_t i = 0; i < shown_of(problem).size(); ++i) {
    const auto& e = problem.excitations()[i];
    const Complex* x = &solution.x[i * std::size_t(problem.space().num_dofs())];
    const std::string suffix = io::excitation_suffix(i, shown_of(problem).size());
    if (e.is_scattered())
      out.add_scattered(e.label, suffix, x, solution.frequency, fem::incident_field(e, k0));
    else
      out.add(e.label, suffix, x, solution.frequency);
  }
}

/// Files of solutions, a step per frequency.
class OpenOutput {
 public:
  /// @param problem whose space, model and excitations the solutions belong to
  OpenOutput(const fem::OpenProblem& problem, double first_frequency, const Setup& setup, run::Run& run)
      : problem_(problem),
        copies_(setup.symmetry.copies()),
        run_(run),
        file_(run.output("solution.h5"), problem.space(), setup.mesh, run.provenance()) {
    const auto excitations = shown_of(problem);
    const bool waves = std::any_of(excitations.begin(), excitations.end(), is_wave);
    const bool feeds = !std::all_of(excitations.begin(), excitations.end(), is_wave);
    if (setup.write_fields)
      fields_.emplace(problem.space(), problem.model(), first_frequency, setup.field_cells,
                      run.output("fields.vtkhdf"), run.provenance());
    if (setup.far_field)
      far_ = std::make_unique<FarFieldOutput>(problem.space(), problem.model(), *setup.far_field, waves,
                                              feeds, run);
    if (!setup.near_fields.empty()) near_ = std::make_unique<NearFieldOutput>(problem.space(), setup, run);
  }
  /// @param radiated [excitations] far fields that are known already, of waves; empty: of the solution
  void add(const fem::OpenSolution& solution, const std::vector<fem::Radiation>& radiated = {}) {
    const ScopedStage timed(stages_, run::results_stage);
    const auto excitations = shown_of(problem_);
    if (fields_) add_fields(problem_, solution, *fields_);
    if (far_ && radiated.empty()) add_far_fields(problem_, solution, copies_, *far_);
    for (std::size_t i = 0; far_ && i < radiated.size(); ++i)
      far_->add_wave(excitations[i], radiated[i], solution.frequency);
    if (near_) add_near_fields(problem_, solution, *near_);
    for (std::size_t i = 0; i < excitations.size(); ++i) {
      file_.add(solution.frequency, excitations[i].label,
                &solution.x[i * std::size_t(problem_.space().num_dofs())]);
      if (!is_wave(excitations[i]))
        run_.results()["sources"].push_back({{"frequency_hz", solution.frequency},
                                             {"source", excitations[i].label},
                                             {"power_w", copies_ * solution.source_power[i]}});
    }
  }
  void close() {
    {
      const ScopedStage timed(stages_, run::results_stage);
      if (fields_) fields_->close();
      file_.close();
      if (far_) far_->close();
      if (near_) near_->close();
    }
    run::add_stages(stages_, run_);
  }

 private:
  const fem::OpenProblem& problem_;
  double copies_;
  run::Run& run_;
  Stages stages_;  ///< of the thread that writes
  fem::SolutionFile file_;
  std::optional<fem::FieldFile> fields_;
  std::unique_ptr<FarFieldOutput> far_;
  std::unique_ptr<NearFieldOutput> near_;
};

/// [[sensitivity]] of cross-sections: of the whole body, in the directions of the pattern.
class ScatteringSensitivities {
 public:
  /// @param duals what add_dual_waves has added @param setup outlives this
  ScatteringSensitivities(const io::Config& config, const Setup& setup, DualWaves duals, run::Run& run)
      : setup_(setup),
        duals_(std::move(duals)),
        sensitivities_(parameters_of(config, setup, run), std::nullopt, run),
        device_(run.device()) {}
  void add(const fem::OpenProblem& problem, const fem::OpenSolution& solution);
  void close() { sensitivities_.close(); }

 private:
  static std::vector<Parameter> parameters_of(const io::Config& config, const Setup& setup, run::Run& run);

  const Setup& setup_;
  DualWaves duals_;
  Sensitivities sensitivities_;
  Device device_;
};

/// Waves behind those of the config. @throws InputError where cross-sections have no derivatives
DualWaves add_dual_waves(const io::Config& config, Setup& setup) {
  if (!config.has("sensitivity")) return {};
  const io::Config table = config.tables("sensitivity").front();
  if (!std::all_of(setup.excitations.begin(), setup.excitations.end(), is_wave))
    table.error("parameter",
                "results of dipoles and currents have no derivatives: take plane waves or ports");
  if (!setup.symmetry.planes.empty())
    table.error("parameter", "waves with [[symmetry]] have no derivatives: give the whole body");
  if (!setup.far_field)
    table.error("parameter", "of plane waves cross-sections have derivatives: give output.far_field");
  std::vector<fields::Direction> directions;
  for (const double phi : setup.far_field->phi_deg)  // as RadiationCalculator has them
    for (const double theta : setup.far_field->theta_deg)
      directions.push_back({theta * pi / 180, phi * pi / 180});
  std::vector<green::ArrivingWave> waves;
  for (const auto& e : setup.excitations) waves.push_back(*e.wave);
  auto duals = dual_waves(waves, std::vector(waves.size(), directions));
  for (const auto& wave : duals.added) {
    fem::Excitation excitation;
    excitation.label = "dual wave";
    excitation.wave = wave;
    excitation.is_dual = true;
    setup.excitations.push_back(std::move(excitation));
  }
  return duals;
}

/// Cells and nodes where the mesh ends: at absorbing boundaries, in layers.
std::vector<Parameter> ScatteringSensitivities::parameters_of(const io::Config& config, const Setup& setup,
                                                              run::Run& run) {
  if (!config.has("sensitivity")) return {};
  const mesh::Mesh& mesh = setup.mesh;
  std::vector<Index> nodes, cells;
  for (const auto& boundary : setup.model.boundaries) {
    if (!boundary->is_absorbing()) continue;
    for (const Index t : mesh::triangles_of(mesh, boundary.regions)) {
      nodes.insert(nodes.end(), mesh.triangle(t), mesh.triangle(t) + mesh.nodes_per_triangle());
      const Index face = setup.topology.triangle_face[std::size_t(t)];
      cells.push_back(setup.topology.face_cells[std::size_t(face)][0]);
    }
  }
  const auto layer = fem::pml_cells(mesh, setup.model.pml);
  for (Index c = 0; c < mesh.num_cells(); ++c)
    if (layer[std::size_t(c)]) {
      nodes.insert(nodes.end(), mesh.cell(c), mesh.cell(c) + mesh.nodes_per_cell());
      cells.push_back(c);
    }
  auto parameters = read_parameters(config, {mesh, setup.topology, setup.model, {}, nodes}, run);
  if (run.dry_run()) return parameters;
  const double frequency = io::frequencies(config).front();
  for (const Parameter& p : parameters) refuse_medium_around(p, mesh, cells, frequency);
  return parameters;
}

void ScatteringSensitivities::add(const fem::OpenProblem& problem, const fem::OpenSolution& solution) {
  if (sensitivities_.is_empty()) return;
  const double f = solution.frequency, k0 = wavenumber(f);
  const Offset n = problem.space().num_dofs();
  const auto& excitations = problem.excitations();
  const fem::RadiationCalculator calculator(problem.space(), problem.model(), *setup_.far_field, device_);
  std::vector<ObservedSection> sections;
  for (std::size_t i = 0, o = 0; i < shown_of(problem).size(); ++i) {
    const auto far = calculator.compute(&solution.x[i * std::size_t(n)], 1, f).front();
    for (std::size_t d = 0; d < far.directions.size(); ++d, ++o)
      sections.push_back({duals_.observations[o], {far.e_theta[d], far.e_phi[d]}});
  }
  Eigen::MatrixXcd x =
      Eigen::Map<const Eigen::MatrixXcd>(solution.x.data(), n, Eigen::Index(excitations.size()));
  for (std::size_t i = 0; i < excitations.size(); ++i) {
    const auto incident = fem::interpolate(problem.space(), [known = fem::incident_field(excitations[i], k0)](
                                                                Vec3<double> r) { return known(r).e; });
    x.col(Eigen::Index(i)) += Eigen::Map<const Eigen::VectorXcd>(incident.data(), n);
  }
  sensitivities_.add(problem, f, x, 1, sections);
}

/// A solution, which nobody changes until it is written.
struct Solved {
  fem::OpenSolution solution;
  bool is_new = true;  ///< not kept by an interrupted run
};

std::shared_ptr<const Solved> solve_or_find(fem::OpenProblem& problem, std::size_t number, double f,
                                            const run::FrequencySweep& sweep, run::Run& run) {
  if (auto known = sweep.find(number)) {
    fem::OpenSolution solution{f, std::move((*known)["x"]), {}, {}};
    for (const Complex power : (*known)["source_power"]) solution.source_power.push_back(power.real());
    return std::make_shared<Solved>(Solved{std::move(solution), false});
  }
  auto solved = std::make_shared<Solved>(Solved{problem.solve(f)});
  state_solve(solved->solution.solver, run);
  return solved;
}

void keep(std::size_t number, const Solved& solved, const run::FrequencySweep& sweep) {
  if (!solved.is_new) return;
  const auto& power = solved.solution.source_power;
  const std::vector<Complex> powers(power.begin(), power.end());
  sweep.keep(number, {{"x", solved.solution.x}, {"source_power", powers}});
}

void solve_frequencies(fem::OpenProblem& problem, const std::vector<double>& frequencies, const Setup& setup,
                       OpenErrorOutput& errors, ScatteringSensitivities& sensitivities, run::Run& run) {
  OpenOutput output(problem, frequencies.front(), setup, run);
  Progress progress("frequencies", long(frequencies.size()));
  run::FrequencySweep sweep(frequencies, run);
  sweep.each_behind([&](std::size_t number, double f, Background& writer) {
    const auto solved = solve_or_find(problem, number, f, sweep, run);
    writer.add([&, number, solved] { keep(number, *solved, sweep); });
    sensitivities.add(problem, solved->solution);
    errors.add(problem, solved->solution);  // here, as it solves too; who interrupts it finds no rows of f
    writer.add([&, number, solved] {
      output.add(solved->solution);
      progress.update(long(number + 1));
    });
  });
  output.close();
  sensitivities.close();
  errors.close();
}

/// Sums over the symmetric parts of waves at one frequency.
struct PartSums {
  fem::OpenSolution solution;
  std::vector<fem::Radiation> radiated;  ///< [excitations]
};

/// Parts are orthogonal over the sphere, each has its own symmetry: powers add.
void add_radiation(const fem::Radiation& part, fem::Radiation& sum) {
  if (sum.directions.empty()) {
    sum = part;
    return;
  }
  for (std::size_t d = 0; d < sum.directions.size(); ++d)
    sum.e_theta[d] += part.e_theta[d], sum.e_phi[d] += part.e_phi[d];
  sum.radiated += part.radiated;
  if (sum.far_power)
    sum.far_power = part.far_power ? std::optional(*sum.far_power + *part.far_power) : std::nullopt;
}

/// One part after the other, so that one system is held at a time.
void solve_part(const fem::OpenPart& part, const Setup& setup, const fem::DrivenOptions& options,
                const fem::NedelecSpace& space, std::vector<PartSums>& sums, run::Run& run) {
  fem::OpenProblem problem(setup.mesh, setup.topology, part.model, part.excitations, options);
  problem.analyse();
  std::optional<fem::RadiationCalculator> calculator;
  if (setup.far_field) {
    fem::FarFieldRequest request = *setup.far_field;
    request.symmetry = part.symmetry;
    calculator.emplace(problem.space(), problem.model(), request);
  }
  const auto n = std::size_t(problem.space().num_dofs()), m = std::size_t(space.num_dofs());
  for (PartSums& sum : sums) {
    const double f = sum.solution.frequency;
    const auto solution = problem.solve(f);
    state_solve(solution.solver, run);
    check_interrupt();
    for (std::size_t i = 0; i < part.which.size(); ++i) {
      const std::vector<Complex> x(&solution.x[i * n], &solution.x[i * n] + n);
      std::vector<Complex> here(m);
      fem::add_unknowns(problem.space(), x, space, here);
      for (std::size_t d = 0; d < m; ++d) sum.solution.x[part.which[i] * m + d] += here[d];
      if (calculator) add_radiation(calculator->compute(x.data(), 1, f).front(), sum.radiated[part.which[i]]);
    }
  }
}

/// Waves that do not share the planes of symmetry, by their parts that do. Fields are those of the modelled
/// part of the body.
void solve_parts(const std::vector<double>& frequencies, const Setup& setup,
                 const fem::DrivenOptions& options, run::Run& run) {
  const auto parts =
      fem::symmetric_parts(setup.model, setup.mesh, setup.topology, setup.symmetry, setup.excitations);
  fem::Model magnetic = parts.front().model;  // whose space holds the unknowns of all others
  for (auto it = magnetic.boundaries.end() - long(setup.symmetry.planes.size());
       it != magnetic.boundaries.end(); ++it)
    it->condition = fem::pmc_condition();
  const fem::OpenProblem whole(setup.mesh, setup.topology, magnetic, setup.excitations, options);
  state_sizes(whole.space(), whole.nnz(), run);
  run.size("right_hand_sides", long(setup.excitations.size()));
  run.size("symmetric_parts", long(parts.size()));
  if (run.dry_run()) return;
  const auto timer = run.stage("frequencies");
  const std::size_t count = setup.excitations.size();
  std::vector<PartSums> sums(frequencies.size());
  for (std::size_t f = 0; f < sums.size(); ++f) {
    sums[f].solution.frequency = frequencies[f];
    sums[f].solution.x.resize(std::size_t(whole.space().num_dofs()) * count);
    sums[f].solution.source_power.assign(count, 0);
    if (setup.far_field) sums[f].radiated.resize(count);
  }
  for (const auto& part : parts) solve_part(part, setup, options, whole.space(), sums, run);
  OpenOutput output(whole, frequencies.front(), setup, run);
  for (const auto& sum : sums) output.add(sum.solution, sum.radiated);
  output.close();
}

}  // namespace

void solve_open(const io::Config& config, run::Run& run) {
  const auto frequencies = io::frequencies(config);
  auto options = fem::read_driven_options(config, run.device());
  Setup setup = read_setup(config, run, true);
  auto duals = add_dual_waves(config, setup);
  const double highest = *std::max_element(frequencies.begin(), frequencies.end());
  options.frequencies = int(frequencies.size());
  fem::choose_coarse_order(setup.mesh, setup.model, highest, options);
  options.right_hand_sides = int(setup.excitations.size());
  const auto accuracy = results::read_accuracy(config);
  ScatteringSensitivities sensitivities(config, setup, std::move(duals), run);
  config.check_unknown_keys();

  check_resolution(setup.mesh, setup.model, highest, run);
  check_facets(setup.mesh, setup.topology, setup.model, run);
  fem::ChargeRounding(setup.mesh, setup.model).require(setup.model, frequencies.front(), "an [excitation]");
  if (setup.splits && serve_whole_matrices()) return;
  if (setup.splits) return solve_parts(frequencies, setup, options, run);
  auto shared = options;
  shared.spread = true;
  fem::OpenProblem problem(setup.mesh, setup.topology, setup.model, setup.excitations, shared);
  if (problem.serve()) return;
  state_sizes(problem.space(), problem.nnz(), run);
  run.size("right_hand_sides", long(setup.excitations.size()));
  {
    const auto timer = run.stage("analysis");
    problem.analyse();
  }
  state_solver(problem.solver_info(), run);
  run::plan_waiting(run, frequencies.size(),
                    sizeof(Complex) * std::size_t(problem.space().num_dofs()) * setup.excitations.size());
  OpenErrorOutput errors(setup, options, frequencies, problem, accuracy, run);
  if (run.dry_run()) {
    const auto waves = double(setup.excitations.size()), steps = double(frequencies.size());
    plan_fem_seconds(problem.space(), problem.solver_info(),
                     {.solutions = steps,
                      .right_hand_sides = waves,
                      .written = setup.write_fields ? steps * waves : 0,
                      .field_cells = setup.field_cells,
                      .check = errors.price(),
                      .checks = errors.checks()},
                     run);
    return;
  }
  {
    const auto timer = run.stage("frequencies");
    solve_frequencies(problem, frequencies, setup, errors, sensitivities, run);
  }
  state_stages(problem.stages(), run);
}

std::optional<fem::System> assemble_open(const io::Config& config, run::Run& run) {
  const double frequency = io::frequencies(config)[0];
  const auto options = fem::read_driven_options(config);
  const Setup setup = read_setup(config, run, false);
  config.allow({"accuracy", "analysis", "output"});
  config.check_unknown_keys();
  if (run.dry_run()) return std::nullopt;
  const auto timer = run.stage("assembly");
  const fem::OpenProblem problem(setup.mesh, setup.topology, setup.model, setup.excitations, options);
  fem::System system;
  problem.assemble(frequency, system.a, system.rhs);
  system.num_rhs = Index(setup.excitations.size());
  system.block_offsets = problem.space().block_offsets;
  system.frequency = frequency;
  return system;
}

}  // namespace curlew::programs
