// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/acoustics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/progress.hpp"
#include "fem/acoustics/acoustic_modes.hpp"
#include "fem/acoustics/acoustic_output.hpp"
#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/acoustics/acoustic_problem.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/output/solution_file.hpp"
#include "io/csv.hpp"
#include "io/frequency.hpp"
#include "programs/fem/acoustic_errors.hpp"
#include "programs/fem/solver_report.hpp"
#include "run/frequency_sweep.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

/// Everything a problem stands on; the space keeps pointers to mesh and topology.
struct Setup {
  mesh::Mesh mesh;
  mesh::Topology topology;
  fem::AcousticModel model;
};

Setup read_setup(const io::Config& config, run::Run& run) {
  Setup setup;
  setup.mesh = run::load_mesh(config, run);
  setup.topology = mesh::build_topology(setup.mesh);
  setup.model = fem::read_acoustic_model(config, setup.mesh, setup.topology);
  return setup;
}

void state_unknowns(const fem::LagrangeSpace& space, run::Run& run) {
  run.size("unknowns", space.num_free);
  log::info("{} cells, order {}, {} unknowns", space.mesh->num_cells(), space.order, space.num_free);
}

void state_matrix(Offset nnz, run::Run& run) {
  run.size("nonzeros", long(nnz));
  run.plan("matrix", std::size_t(nnz) * (sizeof(Complex) + sizeof(Index)));
}

fem::AcousticProblem make_problem(const Setup& setup, const linalg::SystemOptions& options) {
  fem::AcousticProblem problem(setup.mesh, setup.topology, setup.model, options);
  if (!problem.has_source())
    throw InputError(
        "nothing drives the sound: give a [[boundary]] a normal_velocity, a pressure or a value");
  return problem;
}

// ---- driven ----

/// A solution, which nobody changes until it is written.
struct Solved {
  fem::AcousticSolution solution;
  bool is_new = true;  ///< not kept by an interrupted run
};

std::shared_ptr<const Solved> solve_or_find(fem::AcousticProblem& problem, std::size_t number, double f,
                                            const run::FrequencySweep& sweep, run::Run& run) {
  if (auto known = sweep.find(number)) {
    const auto& power = (*known)["power"];
    return std::make_shared<Solved>(Solved{{f,
                                            std::move((*known)["pressure"]),
                                            {power.at(0).real(), power.at(1).real(), power.at(2).real()},
                                            {}},
                                           false});
  }
  auto solved = std::make_shared<Solved>(Solved{problem.solve(f)});
  state_solve(solved->solution.solver, run);
  return solved;
}

void keep(std::size_t number, const Solved& solved, const run::FrequencySweep& sweep) {
  if (!solved.is_new) return;
  const auto& solution = solved.solution;
  const std::vector<Complex> power{solution.power.input, solution.power.boundaries, solution.power.medium};
  sweep.keep(number, {{"pressure", solution.pressure}, {"power", power}});
}

struct Reading {
  double frequency;
  std::vector<fem::ProbeReading> probes;
  fem::AcousticPower power;
};

void write_probe_table(const fem::ProbeSet& probes, const std::vector<Reading>& readings, run::Run& run) {
  auto comments = io::provenance_lines(run.provenance());
  comments.emplace_back(
      "peak phasors; surfaces: mean pressure, level of the mean square; levels re 20 uPa (rms)");
  io::CsvWriter csv(
      run.output("probes.csv"), comments,
      {"frequency_hz", "probe", "re_pressure_pa", "im_pressure_pa", "abs_pressure_pa", "level_db"});
  for (const auto& r : readings)
    for (std::size_t i = 0; i < r.probes.size(); ++i) {
      const Complex p = r.probes[i].pressure;
      csv.row({r.frequency, probes.probes()[i].name, p.real(), p.imag(), std::abs(p), r.probes[i].level_db});
    }
  csv.close();
}

void state_probes(const fem::ProbeSet& probes, const std::vector<Reading>& readings, run::Run& run) {
  auto& results = run.results();
  const auto shown = std::min<std::size_t>(probes.probes().size(), 4);
  std::vector<std::string> columns{"frequency Hz"};
  for (std::size_t i = 0; i < shown; ++i) columns.push_back(probes.probes()[i].name + " dB");
  columns.emplace_back("input power W");
  run.table("sound pressure levels re 20 uPa", columns);
  for (const auto& r : readings) {
    run::Value row{{"frequency_hz", r.frequency}, {"input_power_w", r.power.input}};
    std::vector<std::string> cells{fmt::format("{:.4f}", r.frequency)};
    for (std::size_t i = 0; i < r.probes.size(); ++i) {
      const auto& reading = r.probes[i];
      row["probes"][probes.probes()[i].name] = {{"pressure_pa", reading.pressure},
                                                {"level_db", reading.level_db}};
      if (i < shown) cells.push_back(fmt::format("{:.2f}", reading.level_db));
      if (readings.size() == 1) results[probes.probes()[i].name + "_level_db"] = reading.level_db;
    }
    cells.push_back(fmt::format("{:.6g}", r.power.input));
    run.row(cells);
    results["frequencies"].push_back(row);
  }
}

void check_power(const fem::AcousticModel& model, const std::vector<Reading>& readings, run::Run& run) {
  if (model.is_lossless()) {
    run.line("lossless: no power is absorbed, the sound is a standing wave");
    return;
  }
  double worst = 0, absorbed = 0;
  for (const auto& r : readings) {
    worst = std::max(worst, r.power.imbalance());
    absorbed = std::max(absorbed, r.power.boundaries + r.power.medium);
  }
  run.results()["power_balance_error"] = worst;
  run.line(fmt::format("power balance: input against absorbed in walls and medium to {:.1e}", worst));
  if (worst > 1e-6 && absorbed > 0)
    run.warn(fmt::format(
        "power in and power absorbed differ by {:.1e} of the larger: the linear system was solved "
        "badly, close to a resonance with next to no loss?",
        worst));
}

}  // namespace

void solve_driven_acoustics(const io::Config& config, run::Run& run) {
  const auto frequencies = io::frequencies(config);
  const auto options = fem::read_driven_options(config, run.device());
  const Setup setup = read_setup(config, run);
  const bool write_fields = config.table("output").get_or<bool>("fields", true);
  const auto cells = fem::read_field_cells(config);
  results::read_accuracy(config);
  config.check_unknown_keys();

  fem::AcousticProblem problem = make_problem(setup, options);
  const fem::ProbeSet probes(problem.space(), setup.model.probes);
  state_unknowns(problem.space(), run);
  {
    const auto timer = run.stage("analysis");
    problem.analyse();
  }
  const auto info = problem.solver_info();
  state_matrix(info.entries, run);
  state_solver(info, run);
  run::plan_waiting(run, frequencies.size(), sizeof(Complex) * std::size_t(problem.space().num_nodes));
  AcousticErrors errors(config, problem.space(), setup.model,
                        {info.entries, info, double(frequencies.size())}, run);
  if (run.dry_run()) return;

  std::unique_ptr<fem::AcousticFieldFile> fields;
  if (write_fields)
    fields = std::make_unique<fem::AcousticFieldFile>(problem.space(), setup.model, cells,
                                                      run.output("fields.vtkhdf"), run.provenance());
  fem::SolutionFile file(run.output("solution.h5"), problem.space(), run.provenance());
  std::vector<Reading> readings;
  Stages written;  // first on the thread that writes
  {
    const auto timer = run.stage("frequencies");
    Progress progress("frequencies", long(frequencies.size()));
    run::FrequencySweep sweep(frequencies, run);
    const auto write = [&](const Solved& solved) {
      const ScopedStage timed(written, run::results_stage);
      const auto& [f, pressure, power, solver] = solved.solution;
      if (fields) fields->add(f, 2 * pi * f, pressure);
      file.add(f, "all sources", pressure.data());
      readings.push_back({f, probes.read(pressure), power});
      progress.update(long(readings.size()));
    };
    sweep.each_behind([&](std::size_t number, double f, Background& writer) {
      const auto solved = solve_or_find(problem, number, f, sweep, run);
      writer.add([&, number, solved] { keep(number, *solved, sweep); });
      errors.add(number, solved->solution,
                 options);  // here, as it solves too; who interrupts it finds no rows of f
      writer.add([&, solved] { write(*solved); });
    });
  }
  {
    const ScopedStage timed(written, run::results_stage);
    if (fields) fields->close();
    file.close();
    if (!setup.model.probes.empty()) write_probe_table(probes, readings, run);
    state_probes(probes, readings, run);
  }
  run::add_stages(written, run);
  check_power(setup.model, readings, run);
  errors.close();
}

// ---- eigen ----

/// Matrix and factors of the shift-inverted system: real without losses, which make it one of twice the
/// unknowns (fem/acoustics/acoustic_modes.cpp), four times the entries.
RunSystem plan_modes(const fem::LagrangeSpace& space, const fem::AcousticModel& model,
                     const linalg::DirectOptions& options, run::Run& run) {
  const auto solver = linalg::make_direct_solver<double>(options);
  const auto pattern = fem::ScalarAssembler(space).create_matrix<double>();
  solver->analyse(pattern);
  linalg::SystemInfo info{solver->info(), ""};
  const int parts = model.is_lossless() ? 1 : 8;  // a complex number is two real ones
  info.estimated_bytes *= std::size_t(parts);
  state_matrix(pattern.nnz(), run);
  state_solver(info, run);
  return {.entries = pattern.nnz(), .info = info, .solutions = 1, .is_kept = false};
}

void solve_acoustic_modes(const io::Config& config, run::Run& run) {
  const io::Config analysis = config.table("analysis");
  fem::AcousticModeOptions options;
  options.modes = analysis.integer_in_or("modes", 1, 1000, 5);
  if (analysis.has("target")) options.target = analysis.positive("target");
  options.direct = fem::read_direct_options(config);
  const Setup setup = read_setup(config, run);
  const bool write_fields = config.table("output").get_or<bool>("fields", true);
  const auto cells = fem::read_field_cells(config);
  results::read_accuracy(config);
  config.check_unknown_keys();
  const auto space = fem::make_lagrange_space(setup.mesh, setup.topology, setup.model.order,
                                              fem::dirichlet_triangles(setup.model, setup.mesh));
  state_unknowns(space, run);
  AcousticErrors errors(config, space, setup.model, plan_modes(space, setup.model, options.direct, run), run);
  if (run.dry_run()) return;
  std::vector<fem::AcousticMode> modes;
  {
    const auto timer = run.stage("modes");
    modes = fem::acoustic_modes(space, setup.model, options);
  }
  {
    const auto timer = run.stage(run::results_stage);
    run.table("modes", {"mode", "frequency Hz", "Q", "residual"});
    fem::SolutionFile file(run.output("solution.h5"), space, run.provenance());
    std::unique_ptr<fem::AcousticFieldFile> fields;
    if (write_fields)
      fields = std::make_unique<fem::AcousticFieldFile>(space, setup.model, cells,
                                                        run.output("fields.vtkhdf"), run.provenance());
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const auto& mode = modes[i];
      const bool damped = std::isfinite(mode.q);
      run.solver("eigen", 1, mode.residual);
      run::Value entry{{"frequency_hz", mode.frequency.real()}, {"residual", mode.residual}};
      entry["q"] = damped ? run::Value(mode.q) : run::Value();
      run.results()["modes"].push_back(entry);
      run.results()[fmt::format("f{}_hz", i + 1)] = mode.frequency.real();
      run.row({fmt::format("{}", i + 1), fmt::format("{:.6f}", mode.frequency.real()),
               damped ? fmt::format("{:.6g}", mode.q) : "lossless", fmt::format("{:.1e}", mode.residual)});
      file.add(mode.frequency.real(), "mode", mode.pressure.data());
      if (fields) fields->add(double(i + 1), 2 * pi * mode.frequency, mode.pressure);
    }
    file.close();
    if (fields) fields->close();
  }
  errors.add(modes, options);
  errors.close();
}

// ---- system ----

std::optional<fem::System> assemble_acoustics(const io::Config& config, run::Run& run) {
  const double frequency = io::frequencies(config)[0];
  const auto options = fem::read_driven_options(config);
  const Setup setup = read_setup(config, run);
  config.allow({"analysis", "output"});
  config.check_unknown_keys();
  if (run.dry_run()) return std::nullopt;
  const auto timer = run.stage("assembly");
  const fem::AcousticProblem problem(setup.mesh, setup.topology, setup.model, options);
  fem::AcousticSystem acoustic = problem.system(frequency);
  fem::System system;
  system.a = std::move(acoustic.matrix);
  const Index n = system.a.num_rows;
  system.block_offsets = {0, n, n, n};
  if (problem.has_source()) system.rhs = std::move(acoustic.rhs), system.num_rhs = 1;
  system.frequency = frequency;
  system.matrix_unit = "m^4/kg";
  system.rhs_unit = "m^3/s^2";
  system.meaning = "stiffness (1/rho) minus w^2 mass (1/(rho c^2)) plus boundary terms";
  return system;
}

}  // namespace curlew::programs
