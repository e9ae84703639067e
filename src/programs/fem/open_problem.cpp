// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/open_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/progress.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/output/field_grid.hpp"
#include "fem/output/solution_file.hpp"
#include "io/array_names.hpp"
#include "io/ranges.hpp"
#include "programs/fem/maxwell_setup.hpp"
#include "programs/fem/near_field_output.hpp"
#include "programs/fem/resolution.hpp"
#include "programs/fem/solver_report.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::programs {
namespace {

struct Setup : MaxwellSetup {
  std::vector<fem::Excitation> excitations;
};

Setup read_setup(const io::Config& config, run::Run& run) {
  Setup setup{read_maxwell_setup(config, run), {}};
  setup.excitations = fem::read_excitations(config, setup.mesh);
  fem::check_excitations(config, setup.excitations, setup.model, setup.mesh);
  fem::apply_symmetry(config, setup.symmetry, setup.mesh, setup.excitations);
  fem::choose_formulation(config, setup.excitations, setup.model, setup.mesh, setup.topology);
  return setup;
}

bool is_wave(const fem::Excitation& e) {
  return e.wave.has_value();
}

/// E and H of every excitation, a step per frequency; where a field is known the scattered and the total one.
class OpenFields {
 public:
  /// @param frequency [Hz] at which epsilon_r is written
  OpenFields(const fem::OpenProblem& problem, double frequency, int subdivision, const std::string& path,
             const io::Provenance& provenance)
      : problem_(problem),
        grid_(problem.space(), materials(frequency), subdivision),
        writer_(path, grid_.grid(), provenance, io::VtkNumbers::single_precision) {
    writer_.static_cell_array("epsilon_r", grid_.cell_permittivity(materials(frequency)), 1,
                              {"1", "real part of epsilon_r"});
  }

  void step(const fem::OpenSolution& solution) {
    const auto at = materials(solution.frequency);
    const double omega = 2 * pi * solution.frequency;
    const auto& excitations = problem_.excitations();
    writer_.begin_step(solution.frequency);
    for (std::size_t i = 0; i < excitations.size(); ++i) {
      const Complex* x = &solution.x[i * std::size_t(problem_.space().num_dofs())];
      auto fields = grid_.evaluate(x, at, omega);
      const std::string suffix = io::excitation_suffix(i, excitations.size());
      const std::string what = excitations[i].label;
      if (excitations[i].is_scattered()) {
        writer_.point_array("E_scattered" + suffix, fields.e, 3,
                            {"V/m", "scattered electric field, " + what});
        writer_.point_array("H_scattered" + suffix, fields.h, 3,
                            {"A/m", "scattered magnetic field, " + what});
        const auto incident = fem::incident_field(excitations[i], omega / speed_of_light);
        fields = grid_.evaluate(x, at, omega, incident);
      }
      writer_.point_array("E" + suffix, fields.e, 3, {"V/m", "electric field, " + what});
      writer_.point_array("H" + suffix, fields.h, 3, {"A/m", "magnetic field, " + what});
    }
  }
  void close() { writer_.close(); }

 private:
  fem::CellMaterials materials(double f) const {
    return fem::materials_at(problem_.model(), *problem_.space().mesh, f);
  }
  const fem::OpenProblem& problem_;
  fem::FieldGrid grid_;
  io::VtkHdfWriter writer_;
};

/// @param copies of the modelled part in the whole structure
void add_far_fields(const fem::OpenProblem& problem, const fem::OpenSolution& solution, double copies,
                    FarFieldOutput& out) {
  const double k0 = 2 * pi * solution.frequency / speed_of_light;
  for (std::size_t i = 0; i < problem.excitations().size(); ++i) {
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
  const double k0 = 2 * pi * solution.frequency / speed_of_light;
  for (std::size_t i = 0; i < problem.excitations().size(); ++i) {
    const auto& e = problem.excitations()[i];
    const Complex* x = &solution.x[i * std::size_t(problem.space().num_dofs())];
    const std::string suffix = io::excitation_suffix(i, problem.excitations().size());
    if (e.is_scattered())
      out.add_scattered(e.label, suffix, x, solution.frequency, fem::incident_field(e, k0));
    else
      out.add(e.label, suffix, x, solution.frequency);
  }
}

/// The solution of a frequency: from an interrupted run, or solved now and kept for one.
fem::OpenSolution solve_or_find(fem::OpenProblem& problem, std::size_t number, double f,
                                const run::FrequencySweep& sweep, run::Run& run) {
  if (auto known = sweep.find(number)) {
    fem::OpenSolution solution{f, std::move((*known)["x"]), {}, {}};
    for (const Complex power : (*known)["source_power"]) solution.source_power.push_back(power.real());
    return solution;
  }
  auto solution = problem.solve(f);
  state_solve(solution.solver, run);
  sweep.keep(number, {{"x", solution.x},
                      {"source_power", {solution.source_power.begin(), solution.source_power.end()}}});
  return solution;
}

void solve_frequencies(fem::OpenProblem& problem, const std::vector<double>& frequencies, const Setup& setup,
                       run::Run& run) {
  const auto& excitations = problem.excitations();
  const double copies = setup.symmetry.copies();
  const bool waves = std::any_of(excitations.begin(), excitations.end(), is_wave);
  const bool feeds = !std::all_of(excitations.begin(), excitations.end(), is_wave);
  std::unique_ptr<OpenFields> fields;
  if (setup.write_fields)
    fields = std::make_unique<OpenFields>(problem, frequencies.front(), setup.field_subdivision,
                                          run.output("fields.vtkhdf"), run.provenance());
  std::unique_ptr<FarFieldOutput> far;
  if (setup.far_field)
    far = std::make_unique<FarFieldOutput>(problem.space(), problem.model(), *setup.far_field, waves, feeds,
                                           run);
  std::unique_ptr<NearFieldOutput> near;
  if (!setup.near_fields.empty()) near = std::make_unique<NearFieldOutput>(problem.space(), setup, run);
  fem::SolutionFile file(run.output("solution.h5"), problem.space(), setup.mesh, run.provenance());
  Progress progress("frequencies", long(frequencies.size()));
  run::FrequencySweep sweep(frequencies, run);
  sweep.each([&](std::size_t number, double f) {
    const auto solution = solve_or_find(problem, number, f, sweep, run);
    const InterruptHold hold;
    if (fields) fields->step(solution);
    if (far) add_far_fields(problem, solution, copies, *far);
    if (near) add_near_fields(problem, solution, *near);
    for (std::size_t i = 0; i < excitations.size(); ++i) {
      file.add(f, excitations[i].label, &solution.x[i * std::size_t(problem.space().num_dofs())]);
      if (!is_wave(excitations[i]))
        run.results()["sources"].push_back({{"frequency_hz", f},
                                            {"source", excitations[i].label},
                                            {"power_w", copies * solution.source_power[i]}});
    }
    progress.update(long(number + 1));
  });
  if (fields) fields->close();
  file.close();
  if (far) far->close();
  if (near) near->close();
}

}  // namespace

void solve_open(const io::Config& config, run::Run& run) {
  const auto frequencies = io::frequency_list(config.table("frequency"));
  const auto options = fem::read_driven_options(config, run.device());
  const Setup setup = read_setup(config, run);
  config.check_unknown_keys();

  check_resolution(setup.mesh, setup.model, *std::max_element(frequencies.begin(), frequencies.end()), run);
  check_facets(setup.mesh, setup.topology, setup.model, run);
  fem::OpenProblem problem(setup.mesh, setup.topology, setup.model, setup.excitations, options);
  state_sizes(problem.space(), problem.nnz(), run);
  run.size("right_hand_sides", long(setup.excitations.size()));
  {
    const auto timer = run.stage("analysis");
    problem.analyse();
  }
  state_solver(problem.solver_info(), run);
  if (run.dry_run()) return;
  const auto timer = run.stage("frequencies");
  solve_frequencies(problem, frequencies, setup, run);
}

std::optional<fem::System> assemble_open(const io::Config& config, run::Run& run) {
  const double frequency = io::frequency_list(config.table("frequency"))[0];
  const auto options = fem::read_driven_options(config);
  const Setup setup = read_setup(config, run);
  config.allow({"analysis", "output"});
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
