// SPDX-License-Identifier: BSD-3-Clause
// fem-solve: finite element solution of driven problems (S-parameters, fields) and of cavities (modes).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "acoustics.hpp"
#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/progress.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/eigen/cavity.hpp"
#include "fem/eigen/participation.hpp"
#include "fem/output/field_grid.hpp"
#include "fem/output/port_results.hpp"
#include "fem/output/solution_file.hpp"
#include "fem/output/system_file.hpp"
#include "io/ranges.hpp"
#include "maxwell_setup.hpp"
#include "near_field_output.hpp"
#include "open_problem.hpp"
#include "received.hpp"
#include "run/run_app.hpp"
#include "solver_report.hpp"

namespace {

using namespace curlew;

double decibel(double magnitude) {
  return 20 * std::log10(std::max(magnitude, 1e-30));
}

/// Everything a problem stands on; the space keeps pointers to mesh and topology.
struct Setup : apps::MaxwellSetup {
  std::optional<double> reference_impedance;  ///< [ohm] of the Touchstone file
};

Setup read_setup(const io::Config& config, run::Run& run) {
  Setup setup{apps::read_maxwell_setup(config, run), {}};
  if (config.table("output").has("reference_impedance"))
    setup.reference_impedance = config.table("output").positive("reference_impedance");
  return setup;
}

void state_sizes(const fem::NedelecSpace& space, Offset nnz, run::Run& run) {
  run.size("unknowns", space.num_dofs());
  run.size("nonzeros", long(nnz));
  log::info("{} cells, order {}, {} unknowns, {} nonzeros", space.mesh->num_cells(), space.order,
            space.num_dofs(), nnz);
}

// ---- driven ----

/// Rows of S whose fields are written: the first mode of every excited port (of a Floquet port both
/// polarisations of (0,0)), or of the first port.
std::vector<Eigen::Index> excitations(const fem::DrivenProblem& problem) {
  std::vector<Eigen::Index> chosen;
  for (std::size_t i = 0; i < problem.modes().size(); ++i) {
    const auto& place = problem.modes()[i];
    const fem::ModalPort& port = problem.ports()[std::size_t(place.port)];
    if (port.excite && (place.mode == 0 || (port.floquet && place.mode == 1)))
      chosen.push_back(Eigen::Index(i));
  }
  if (chosen.empty()) chosen.push_back(0);
  return chosen;
}

/// What tells the arrays of several excitations apart.
std::string array_suffix(const fem::DrivenProblem& problem, std::size_t count, fem::ModePlace place) {
  const auto& port = problem.ports()[std::size_t(place.port)];
  const std::string mode = port.floquet ? "_" + port.modes[std::size_t(place.mode)].name : "";
  return count == 1 ? "" : "_" + port.region + mode;
}

/// Writes E and H of the excited modes, a step per frequency.
class DrivenFields {
 public:
  /// @param frequency [Hz] one of the sweep: it fixes the permittivity that is written beside the fields
  DrivenFields(const fem::DrivenProblem& problem, double frequency, const std::string& path,
               const io::Provenance& provenance)
      : problem_(problem),
        grid_(problem.space(), materials(frequency)),
        writer_(path, grid_.grid(), provenance),
        excited_(excitations(problem)) {
    writer_.static_cell_array("epsilon_r", grid_.cell_permittivity(materials(frequency)), 1,
                              {"1", "real part of epsilon_r"});
  }
  void step(const fem::DrivenSolution& solution) {
    const auto at = materials(solution.frequency);
    writer_.begin_step(solution.frequency);
    for (const Eigen::Index i : excited_) {
      const Complex* x = &solution.x[std::size_t(i) * std::size_t(problem_.space().num_dofs())];
      const auto fields = grid_.evaluate(x, at, 2 * pi * solution.frequency);
      const auto& place = problem_.modes()[std::size_t(i)];
      const std::string suffix = array_suffix(problem_, excited_.size(), place);
      const std::string what = ", 1 W incident at " + fem::mode_label(problem_, place);
      writer_.point_array("E" + suffix, fields.e, 3, {"V/m", "electric field" + what});
      writer_.point_array("H" + suffix, fields.h, 3, {"A/m", "magnetic field" + what});
    }
  }
  void close() { writer_.close(); }

 private:
  fem::CellMaterials materials(double f) const {
    return fem::materials_at(problem_.model(), *problem_.space().mesh, f);
  }

  const fem::DrivenProblem& problem_;
  fem::FieldGrid grid_;
  io::VtkHdfWriter writer_;
  std::vector<Eigen::Index> excited_;
};

void print_s_parameters(const fem::DrivenProblem& problem, const std::vector<fem::DrivenSolution>& solutions,
                        run::Run& run) {
  const auto shown = std::min<std::size_t>(problem.modes().size(), 4);
  std::vector<std::string> columns{"frequency GHz"};
  for (std::size_t i = 0; i < shown; ++i) columns.push_back(fmt::format("|S{}1| dB", i + 1));
  run.table("S-parameters, incident at " + fem::mode_label(problem, problem.modes()[0]), columns);
  for (const auto& solution : solutions) {
    std::vector<std::string> cells{fmt::format("{:.6f}", 1e-9 * solution.frequency)};
    for (std::size_t i = 0; i < shown; ++i) {
      cells.push_back(fmt::format("{:.4f}", decibel(std::abs(solution.scattering.s(Eigen::Index(i), 0)))));
    }
    run.row(cells);
  }
}

/// S, and the impedance that a lumped port sees while all others are matched.
nlohmann::json s_as_json(const fem::DrivenProblem& problem, const fem::DrivenSolution& solution) {
  nlohmann::json row{{"frequency_hz", solution.frequency}};
  const auto& s = solution.scattering.s;
  for (Eigen::Index i = 0; i < s.rows(); ++i) {
    for (Eigen::Index j = 0; j < s.cols(); ++j) {
      row[fmt::format("s{}_{}", i + 1, j + 1)] = {s(i, j).real(), s(i, j).imag()};
    }
    const auto& port = problem.ports()[std::size_t(problem.modes()[std::size_t(i)].port)];
    if (!port.lumped) continue;
    const Complex z = port.lumped->resistance * (1.0 + s(i, i)) / (1.0 - s(i, i));
    row[fmt::format("input_impedance_{}_ohm", i + 1)] = {z.real(), z.imag()};
  }
  return row;
}

/// Scalars of the first excitation, so that a sweep's table has them: extremes over the frequencies.
void state_scalars(const std::vector<fem::DrivenSolution>& solutions, nlohmann::json& results) {
  for (Eigen::Index i = 0; i < solutions[0].scattering.s.rows(); ++i) {
    double low = 1e300, high = -1e300;
    for (const auto& solution : solutions) {
      const double value = decibel(std::abs(solution.scattering.s(i, 0)));
      low = std::min(low, value);
      high = std::max(high, value);
    }
    const std::string name = fmt::format("s{}_1_db", i + 1);
    if (solutions.size() == 1) results[name] = high;
    if (solutions.size() > 1) results[name + "_min"] = low, results[name + "_max"] = high;
  }
}

/// Reciprocity, passivity and power balance, and what their violation would mean.
void check_physics(const fem::DrivenProblem& problem, const std::vector<fem::DrivenSolution>& solutions,
                   run::Run& run) {
  fem::ScatteringChecks worst;
  for (const auto& solution : solutions) {
    const auto checks = fem::check_scattering(solution.scattering.s, solution.modes);
    worst.reciprocity = std::max(worst.reciprocity, checks.reciprocity);
    worst.largest_gain = std::max(worst.largest_gain, checks.largest_gain);
    worst.power_balance = std::max(worst.power_balance, checks.power_balance);
  }
  auto& results = run.results();
  const bool symmetric = problem.has_symmetric_scattering();
  if (symmetric) results["reciprocity_error"] = worst.reciprocity;
  results["passivity_excess"] = std::max(0.0, worst.largest_gain);
  const bool lossless = problem.model().is_lossless();
  results[lossless ? "power_balance_error" : "absorbed_share_max"] = worst.power_balance;
  run.line(fmt::format(
      "{}{} {:.1e}", symmetric ? fmt::format("reciprocity |Sij - Sji| <= {:.1e}; ", worst.reciprocity) : "",
      lossless ? "power balance of this lossless device to" : "largest absorbed share of the incident power",
      worst.power_balance));
  if (worst.largest_gain > 1e-3) {
    run.warn(fmt::format(
        "more power comes out than goes in (singular value of S 1 + {:.1e}): a material with gain "
        "(Im epsilon_r > 0?), or a mesh too coarse at the ports",
        worst.largest_gain));
  } else if (lossless && worst.power_balance > 1e-2) {
    run.warn(fmt::format(
        "power balance of a lossless device is off by {:.1e}: higher modes reach a port (move it away, or "
        "raise its modes), or the mesh is too coarse",
        worst.power_balance));
  }
}

/// The pattern of 1 W incident in a mode.
void add_far_field(const fem::DrivenProblem& problem, const fem::DrivenSolution& solution, Eigen::Index mode,
                   apps::FarFieldOutput& far) {
  const double accepted = 1 - std::norm(solution.scattering.s(mode, mode));
  far.add_feed(fem::mode_label(problem, problem.modes()[std::size_t(mode)]), {accepted, 1.0},
               &solution.x[std::size_t(mode) * std::size_t(problem.space().num_dofs())], solution.frequency);
}

/// Full solutions at all frequencies, or a fast sweep; fields and unknowns of every full solution go to
/// files.
std::vector<fem::DrivenSolution> sweep(fem::DrivenProblem& problem, const std::vector<double>& frequencies,
                                       const std::optional<fem::FastSweepOptions>& fast, const Setup& setup,
                                       apps::ReceivedOutput& received, run::Run& run) {
  std::unique_ptr<DrivenFields> fields;
  if (setup.write_fields)
    fields = std::make_unique<DrivenFields>(problem, frequencies[0], run.output("fields.vtkhdf"),
                                            run.provenance());
  std::unique_ptr<apps::FarFieldOutput> far;
  if (setup.far_field)
    far = std::make_unique<apps::FarFieldOutput>(problem.space(), problem.model(), *setup.far_field,
                                                 received.has_waves(), true, run);
  std::unique_ptr<apps::NearFieldOutput> near;
  if (!setup.near_fields.empty()) near = std::make_unique<apps::NearFieldOutput>(problem.space(), setup, run);
  fem::SolutionFile file(run.output("solution.h5"), problem.space(), setup.mesh, run.provenance());
  const auto chosen = excitations(problem);
  const auto keep = [&](const fem::DrivenSolution& solution) {
    apps::state_solve(solution.solver, run);
    if (fields) fields->step(solution);
    if (near) near->begin_step(solution.frequency);
    for (const Eigen::Index i : chosen) {
      const auto& mode = problem.modes()[std::size_t(i)];
      const Complex* x = &solution.x[std::size_t(i) * std::size_t(problem.space().num_dofs())];
      if (far) add_far_field(problem, solution, i, *far);
      if (near)
        near->add(fem::mode_label(problem, mode), array_suffix(problem, chosen.size(), mode), x,
                  solution.frequency);
      file.add(solution.frequency, fem::mode_label(problem, mode), x);
    }
    if (!received.is_empty()) received.add(problem, solution, far.get(), near.get(), file, run);
    check_interrupt();
  };
  std::vector<fem::DrivenSolution> solutions;
  if (fast) {
    fem::FastSweepOptions options = *fast;
    options.on_solution = keep;
    auto result = fem::fast_sweep(problem, frequencies, options);
    run.results()["full_solutions"] = result.solved.size();
    run.results()["adaptive_error_estimate"] = result.error_estimate;
    run.line(fmt::format("adaptive sweep: {} full solutions for {} frequencies, error estimate {:.1e}",
                         result.solved.size(), frequencies.size(), result.error_estimate));
    solutions = std::move(result.solutions);
  } else {
    Progress progress("frequencies", long(frequencies.size()));
    for (const double f : frequencies) {
      solutions.push_back(problem.solve(f, received.loads(problem, f)));
      keep(solutions.back());
      solutions.back().x = solutions.back().source_x = {};
      progress.update(long(solutions.size()));
    }
  }
  if (fields) fields->close();
  if (far) far->close();
  if (near) near->close();
  received.close(run);
  file.close();
  return solutions;
}

void solve_driven(const io::Config& config, run::Run& run) {
  const auto frequencies = fem::read_sweep_frequencies(config);
  const auto options = fem::read_driven_options(config, run.device());
  const auto fast = fem::read_fast_sweep(config);
  Setup setup = read_setup(config, run);
  apps::ReceivedOutput received(config, setup);
  if (fast && !received.is_empty())
    config.table("frequency").error("adaptive_tolerance", "an adaptive sweep has no [excitation]");
  config.check_unknown_keys();
  if (fast) fem::fix_profiles(setup.model.pml, frequencies);

  fem::DrivenProblem problem(setup.mesh, setup.topology, setup.model, options);
  for (const double f : frequencies) problem.mode_states(f);  // every cut-off before the first factorisation
  state_sizes(problem.space(), problem.nnz(), run);
  {
    const auto timer = run.stage("analysis");
    problem.analyse();
  }
  apps::state_solver(problem.solver_info(), run);
  if (run.dry_run()) return;

  std::vector<fem::DrivenSolution> solutions;
  {
    const auto timer = run.stage("frequencies");
    solutions = sweep(problem, frequencies, fast, setup, received, run);
  }
  const auto num_ports = problem.modes().size();
  fem::write_s_parameters(run.output(fmt::format("{}.s{}p", run.stem(), num_ports)), problem, solutions,
                          run.provenance(), setup.reference_impedance);
  fem::write_port_table(run.output("ports.csv"), problem, solutions, run.provenance());
  for (const auto& solution : solutions)
    run.results()["s_parameters"].push_back(s_as_json(problem, solution));
  state_scalars(solutions, run.results());
  print_s_parameters(problem, solutions, run);
  check_physics(problem, solutions, run);
}

// ---- eigen ----

void write_modes(const Setup& setup, const fem::NedelecSpace& space,
                 const std::vector<fem::CavityMode>& modes, run::Run& run) {
  fem::SolutionFile file(run.output("solution.h5"), space, setup.mesh, run.provenance());
  for (const auto& mode : modes) file.add(mode.frequency.real(), "mode", mode.x.data());
  file.close();
  if (!setup.near_fields.empty()) {
    apps::NearFieldOutput near(space, setup, run);
    for (const auto& mode : modes) {
      near.begin_step(mode.frequency.real());
      near.add("mode", "", mode.x.data(), mode.frequency);
    }
    near.close();
  }
  if (!setup.write_fields) return;
  const auto materials = fem::materials_at(setup.model, setup.mesh, modes[0].frequency.real());
  const fem::FieldGrid grid(space, materials);
  io::VtkHdfWriter writer(run.output("fields.vtkhdf"), grid.grid(), run.provenance());
  writer.static_cell_array("epsilon_r", grid.cell_permittivity(materials), 1,
                           {"1", "real part of epsilon_r"});
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto at = fem::materials_at(setup.model, setup.mesh, modes[i].frequency);
    const auto fields = grid.evaluate(modes[i].x.data(), at, 2 * pi * modes[i].frequency);
    writer.begin_step(double(i + 1));
    writer.point_array("E", fields.e, 3, {"V/m", "electric field of the mode at 1 J"});
    writer.point_array("H", fields.h, 3, {"A/m", "magnetic field of the mode at 1 J"});
  }
  writer.close();
}

/// Sizes, and the memory that the factorisation will take.
void plan_modes(const fem::NedelecSpace& space, const linalg::DirectOptions& direct, run::Run& run) {
  const fem::Assembler assembler(space);
  state_sizes(space, assembler.nnz(), run);
  const auto solver = linalg::make_direct_solver<Complex>(direct);
  solver->analyse(assembler.create_matrix<Complex>());
  run.solver_fact("estimated_bytes", solver->estimated_bytes());
  run.plan("factorisation", solver->estimated_bytes());
}

/// Of lossless resonators: whether the modes found are all there are up to the last one.
void check_completeness(const fem::NedelecSpace& space, const fem::Model& model,
                        const fem::CavityOptions& options, const std::vector<fem::CavityMode>& modes,
                        run::Run& run) {
  const double low = options.target > 0 ? modes.front().frequency.real()
                                        : fem::frequency_below_all_modes(*space.mesh, model);
  const auto count =
      fem::count_modes(space, model, low * (1 - 1e-7), modes.back().frequency.real() * (1 + 1e-7));
  if (!count) return;
  run.results()["modes_complete"] = *count == Index(modes.size());
  if (*count == Index(modes.size())) {
    run.line(fmt::format("all modes up to the last one are here (counted by inertia: {})", *count));
  } else {
    run.warn(
        fmt::format("{} modes lie between the first and the last one found, {} are here: ask for more modes, "
                    "or move the target below them",
                    *count, modes.size()));
  }
}

void solve_eigen(const io::Config& config, run::Run& run) {
  const io::Config analysis = config.table("analysis");
  fem::CavityOptions options;
  options.modes = analysis.integer_in_or("modes", 1, 1000, 5);
  if (analysis.has("target")) options.target = analysis.positive("target");
  const bool check = analysis.get_or<bool>("check_completeness", true);
  options.direct = fem::read_direct_options(config);
  const Setup setup = read_setup(config, run);
  config.check_unknown_keys();

  const auto space = fem::make_space(setup.mesh, setup.topology, setup.model.order,
                                     fem::pec_triangles(setup.model, setup.mesh));
  plan_modes(space, options.direct, run);
  if (run.dry_run()) return;
  std::vector<fem::CavityMode> modes;
  {
    const auto timer = run.stage("modes");
    modes = fem::cavity_modes(space, setup.model, options);
  }
  run.table("modes", {"mode", "frequency GHz", "Q", "residual"});
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto& mode = modes[i];
    run.solver("eigen", 1, mode.residual);
    nlohmann::json entry{{"frequency_hz", mode.frequency.real()}, {"residual", mode.residual}};
    entry["q"] = std::isfinite(mode.q) ? nlohmann::json(mode.q) : nlohmann::json();
    for (const auto& [region, share] : fem::participation(space, setup.model, mode.x, mode.frequency))
      entry["participation"][region] = share;
    run.results()["modes"].push_back(entry);
    run.results()[fmt::format("f{}_hz", i + 1)] = mode.frequency.real();
    run.row({fmt::format("{}", i + 1), fmt::format("{:.9f}", 1e-9 * mode.frequency.real()),
             std::isfinite(mode.q) ? fmt::format("{:.6g}", mode.q) : "lossless",
             fmt::format("{:.1e}", mode.residual)});
  }
  if (check) check_completeness(space, setup.model, options, modes, run);
  write_modes(setup, space, modes, run);
}

// ---- a system from a file ----

void solve_system(const io::Config& config, run::Run& run) {
  auto options = fem::read_driven_options(config, run.device());
  config.check_unknown_keys();
  const fem::System system = fem::read_system(run.input());
  if (system.num_rhs == 0) throw InputError(run.input() + ": no right-hand side \"rhs\"");
  run.size("unknowns", system.a.num_rows);
  run.size("nonzeros", long(system.a.nnz()));
  // Products of assembly are symmetric to rounding; anything else is a general matrix.
  options.direct.symmetry =
      linalg::asymmetry(system.a) < 1e-13 ? linalg::Symmetry::symmetric : linalg::Symmetry::unsymmetric;
  linalg::SystemSolver solver(options, {system.block_offsets.begin(), system.block_offsets.end()});
  solver.analyse(system.a);
  apps::state_solver(solver.info(), run);
  if (run.dry_run()) return;
  std::vector<Complex> x(system.rhs.size());
  {
    const auto timer = run.stage("solve");
    solver.prepare(system.a);
    const auto report = solver.solve(system.rhs.data(), x.data(), system.num_rhs);
    apps::state_solve(report, run);
    run.line(fmt::format("{} unknowns, {} right-hand sides, {}, {} iterations, relative residual {:.1e}",
                         system.a.num_rows, system.num_rhs, report.method, report.iterations,
                         report.residual));
  }
  fem::write_solution_columns(run.output("solution.h5"), x, system.num_rhs, run.provenance());
}

}  // namespace

int main(int argc, char** argv) {
  const run::AppInfo info{
      .name = "fem-solve",
      .summary = "Finite element solution: S-parameters and fields of driven problems, modes of cavities.",
      .example = "fem-solve configs/iris.toml --set mesh.parameters.gap=12",
      .other_inputs = {".h5"}};
  return run::run_app(info, argc, argv, [](const io::Config& config, run::Run& run) {
    if (!run.has_config()) return solve_system(config, run);
    config.allow({"reference"});
    const bool sound =
        config.table("physics").choice_or("type", {"maxwell", "helmholtz"}, "maxwell") == "helmholtz";
    const auto type = config.table("analysis").choice_or("type", {"driven", "eigen"}, "driven");
    if (type == "driven") {
      config.table("analysis").allow({"modes", "target", "check_completeness"});
      if (sound) return apps::solve_driven_acoustics(config, run);
      return config.has("excitation") && !config.has("port") ? apps::solve_open(config, run)
                                                             : solve_driven(config, run);
    }
    config.allow({"frequency"});
    return sound ? apps::solve_acoustic_modes(config, run) : solve_eigen(config, run);
  });
}
