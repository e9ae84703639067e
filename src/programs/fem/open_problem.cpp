// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/analyses.hpp"

#include <algorithm>
#include <memory>

#include "base/wavenumber.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/driven/low_frequency.hpp"
#include "fem/open/pml.hpp"
#include "fem/open/symmetric_waves.hpp"
#include "fem/report/resolution.hpp"
#include "fem/report/solver_report.hpp"
#include "fem/system/coarse_order.hpp"
#include "fields/pattern.hpp"
#include "io/array_names.hpp"
#include "io/frequency.hpp"
#include "mesh/regions.hpp"
#include "programs/fem/open_job.hpp"
#include "programs/fem/several_processes.hpp"

namespace curlew::programs {
namespace {

bool is_wave(const fem::Excitation& e) {
  return e.wave.has_value();
}

/// @param may_split waves without the symmetry may be solved by parts
void read_excitations(const io::Config& config, bool may_split, OpenCase& c) {
  c.excitations = fem::read_excitations(config, c.mesh);
  fem::check_excitations(config, c.excitations, c.model, c.mesh);
  c.splits = may_split && fem::needs_parts(c.symmetry, c.excitations);
  if (c.splits && !c.near_fields.empty())
    config.table("output").error(
        "near_field",
        "a wave without the symmetry of [[symmetry]] has no near fields here: model the "
        "whole body, or take fe-iiee");
  fem::apply_symmetry(config, c.symmetry, c.mesh, c.excitations, c.splits);
  fem::choose_formulation(config, c.excitations, c.symmetry, c.model, c.mesh, c.topology);
}

/// Adds waves after those of the config. @throws InputError if cross-sections have no derivatives
fields::DualWaves add_dual_waves(const io::Config& config, OpenCase& c) {
  if (!config.has("sensitivity")) return {};
  const io::Config table = config.tables("sensitivity").front();
  if (!std::all_of(c.excitations.begin(), c.excitations.end(), is_wave))
    table.error("parameter",
                "results of dipoles and currents have no derivatives: take plane waves or ports");
  if (!c.symmetry.planes.empty())
    table.error("parameter", "waves with [[symmetry]] have no derivatives: give the whole body");
  if (!c.far_field)
    table.error("parameter", "with plane waves the cross-sections have derivatives: give output.far_field");
  const auto directions = fields::directions_at(c.far_field->theta_deg, c.far_field->phi_deg);
  std::vector<green::ArrivingWave> waves;
  for (const auto& e : c.excitations) waves.push_back(*e.wave);
  auto duals = fields::dual_waves(waves, std::vector(waves.size(), directions));
  for (const auto& wave : duals.added) {
    fem::Excitation excitation;
    excitation.label = "dual wave";
    excitation.wave = wave;
    excitation.is_dual = true;
    c.excitations.push_back(std::move(excitation));
  }
  return duals;
}

/// Cells and nodes at the end of the mesh: at absorbing boundaries, in PML.
std::vector<fem::Parameter> scattering_parameters(const io::Config& config, const OpenCase& c,
                                                  run::Run& run) {
  if (!config.has("sensitivity")) return {};
  const mesh::Mesh& mesh = c.mesh;
  std::vector<Index> nodes, cells;
  for (const auto& boundary : c.model.boundaries) {
    if (!boundary->is_absorbing()) continue;
    for (const Index t : mesh::triangles_of(mesh, boundary.regions)) {
      nodes.insert(nodes.end(), mesh.triangle(t), mesh.triangle(t) + mesh.nodes_per_triangle());
      const Index face = c.topology.triangle_face[std::size_t(t)];
      cells.push_back(c.topology.face_cells[std::size_t(face)][0]);
    }
  }
  const auto layer = fem::pml_cells(mesh, c.model.pml);
  for (Index cell = 0; cell < mesh.num_cells(); ++cell)
    if (layer[std::size_t(cell)]) {
      nodes.insert(nodes.end(), mesh.cell(cell), mesh.cell(cell) + mesh.nodes_per_cell());
      cells.push_back(cell);
    }
  auto parameters = fem::read_parameters(config, {mesh, c.topology, c.model, {}, nodes}, run);
  if (run.dry_run()) return parameters;
  for (const fem::Parameter& p : parameters) fem::refuse_medium_around(p, mesh, cells, c.frequencies.front());
  return parameters;
}

/// @throws InputError with file and line, for unknown keys too
OpenCase read_open_case(mesh::Mesh mesh, const io::Config& config, run::Run& run) {
  OpenCase c;
  c.frequencies = io::frequencies(config);
  c.options = fem::read_driven_options(config, run.device(), run.processes());
  static_cast<fem::MaxwellSetup&>(c) = fem::read_maxwell_setup(std::move(mesh), config);
  run.size("cells", c.mesh.num_cells());
  read_excitations(config, true, c);
  c.duals = add_dual_waves(config, c);
  c.options.frequencies = int(c.frequencies.size());
  fem::choose_coarse_order(c.mesh, c.model, c.frequencies.back(), c.options);
  c.options.right_hand_sides = int(c.excitations.size());
  c.accuracy = results::read_accuracy(config);
  c.parameters = scattering_parameters(config, c, run);
  config.check_unknown_keys();
  return c;
}

}  // namespace

std::span<const fem::Excitation> shown_of(const std::vector<fem::Excitation>& all) {
  return {all.begin(), std::find_if(all.begin(), all.end(), std::mem_fn(&fem::Excitation::is_dual))};
}

void show_open(const OpenCase& c, const fem::OpenSolution& solution, const std::vector<fem::Radiation>& far,
               const std::function<void(const fem::Shown&)>& take) {
  const auto excitations = shown_of(c.excitations);
  const std::size_t n = solution.x.size() / c.excitations.size();
  for (std::size_t i = 0; i < excitations.size(); ++i) {
    const auto& e = excitations[i];
    fem::Shown shown{.label = e.label,
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

std::unique_ptr<fem::MaxwellFiles> make_open_files(const OpenCase& c, const fem::OpenProblem& problem,
                                                   run::Run& run) {
  const auto excitations = shown_of(c.excitations);
  const auto waves =
      std::count_if(excitations.begin(), excitations.end(), [](const auto& e) { return e.wave; });
  return std::make_unique<fem::MaxwellFiles>(problem.space(), problem.model(), c.frequencies.front(), c,
                                             waves > 0, waves < std::ssize(excitations), run);
}

OpenJob::OpenJob(const OpenCase& c, run::Run& run)
    : case_(c), run_(run), problem_(c.mesh, c.topology, c.model, c.excitations, spread(c.options)) {}

job::Plan OpenJob::plan(run::Run& run) {
  const auto plan = fem::plan_system(problem_, case_.excitations.size(), run);
  run.size("right_hand_sides", long(case_.excitations.size()));
  return plan;
}

fem::OpenSolution OpenJob::solve(double frequency) {
  auto solution = problem_.solve(frequency);
  fem::state_solve(solution.solver, run_);
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

namespace {

void check_rounding(const OpenCase& c) {
  fem::ChargeRounding(c.mesh, c.model).require(c.model, c.frequencies.front(), "an [excitation]");
}

void solve(const OpenCase& c, run::Run& run) {
  fem::check_resolution(c.mesh, c.model, c.frequencies.back(), run);
  fem::check_facets(c.mesh, c.topology, c.model, run);
  check_rounding(c);
  if (c.splits) return serve_whole_matrices(run) ? void() : solve_by_parts(c, run);
  OpenJob problem(c, run);
  if (problem.serve()) return;
  job::run(problem, open_sinks(problem, run), c.frequencies, run);
  if (!run.dry_run()) fem::state_stages(problem.problem().stages(), run);
}

}  // namespace

void solve_open(const io::Config& config, run::Run& run) {
  auto refinement = job::read_refinement_or_default(config, job::RefinedProblem::open, run);
  mesh::Mesh mesh = load_shared_mesh(config, run);
  const auto read = [&](mesh::Mesh of) { return read_open_case(std::move(of), config, run); };
  auto c = std::make_unique<OpenCase>(read(mesh));
  job::settle(refinement, obstacle_to_passes(*c), config, run);
  if (refinement) check_rounding(*c);  // finer meshes resolve less
  if (job::begins_passes(refinement, run))
    c = std::make_unique<OpenCase>(read(refine_open(*refinement, config, std::move(mesh), read, run)));
  solve(*c, run);
}

std::optional<fem::System> assemble_open(const io::Config& config, run::Run& run) {
  const double frequency = io::frequencies(config)[0];
  const auto options = fem::read_driven_options(config);
  OpenCase c;
  static_cast<fem::MaxwellSetup&>(c) = fem::read_maxwell_setup(load_shared_mesh(config, run), config);
  run.size("cells", c.mesh.num_cells());
  read_excitations(config, false, c);
  config.allow({"accuracy", "analysis", "output"});
  config.check_unknown_keys();
  if (run.dry_run()) return std::nullopt;
  const auto timer = run.stage("assembly");
  const fem::OpenProblem problem(c.mesh, c.topology, c.model, c.excitations, options);
  fem::System system;
  problem.assemble(frequency, system.a, system.rhs);
  system.num_rhs = Index(c.excitations.size());
  system.block_offsets = problem.space().block_offsets;
  system.frequency = frequency;
  return system;
}

}  // namespace curlew::programs
