// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/constants.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/open/pml.hpp"
#include "fem/open/symmetric_waves.hpp"
#include "fem/system/coarse_order.hpp"
#include "io/frequency.hpp"
#include "mesh/regions.hpp"
#include "programs/fem/open_job.hpp"
#include "programs/fem/open_problem.hpp"

namespace curlew::programs {
namespace {

bool is_wave(const fem::Excitation& e) {
  return e.wave.has_value();
}

/// @param may_split one system is not enough for waves without the symmetry
void read_excitations(const io::Config& config, bool may_split, OpenCase& c) {
  c.excitations = fem::read_excitations(config, c.mesh);
  fem::check_excitations(config, c.excitations, c.model, c.mesh);
  c.splits = may_split && fem::needs_parts(c.symmetry, c.excitations);
  if (c.splits && !c.near_fields.empty())
    config.table("output").error(
        "near_field",
        "a wave without the symmetry of [[symmetry]] has no near fields yet: model the "
        "whole body, or take fe-iiee");
  fem::apply_symmetry(config, c.symmetry, c.mesh, c.excitations, c.splits);
  fem::choose_formulation(config, c.excitations, c.model, c.mesh, c.topology);
}

/// Waves behind those of the config. @throws InputError where cross-sections have no derivatives
DualWaves add_dual_waves(const io::Config& config, OpenCase& c) {
  if (!config.has("sensitivity")) return {};
  const io::Config table = config.tables("sensitivity").front();
  if (!std::all_of(c.excitations.begin(), c.excitations.end(), is_wave))
    table.error("parameter",
                "results of dipoles and currents have no derivatives: take plane waves or ports");
  if (!c.symmetry.planes.empty())
    table.error("parameter", "waves with [[symmetry]] have no derivatives: give the whole body");
  if (!c.far_field)
    table.error("parameter", "of plane waves cross-sections have derivatives: give output.far_field");
  std::vector<fields::Direction> directions;
  for (const double phi : c.far_field->phi_deg)  // as RadiationCalculator has them
    for (const double theta : c.far_field->theta_deg)
      directions.push_back({theta * pi / 180, phi * pi / 180});
  std::vector<green::ArrivingWave> waves;
  for (const auto& e : c.excitations) waves.push_back(*e.wave);
  auto duals = dual_waves(waves, std::vector(waves.size(), directions));
  for (const auto& wave : duals.added) {
    fem::Excitation excitation;
    excitation.label = "dual wave";
    excitation.wave = wave;
    excitation.is_dual = true;
    c.excitations.push_back(std::move(excitation));
  }
  return duals;
}

/// Cells and nodes where the mesh ends: at absorbing boundaries, in layers.
std::vector<Parameter> scattering_parameters(const io::Config& config, const OpenCase& c, run::Run& run) {
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
  auto parameters = read_parameters(config, {mesh, c.topology, c.model, {}, nodes}, run);
  if (run.dry_run()) return parameters;
  for (const Parameter& p : parameters) refuse_medium_around(p, mesh, cells, c.frequencies.front());
  return parameters;
}

}  // namespace

OpenCase read_open_case(const io::Config& config, run::Run& run) {
  OpenCase c;
  c.frequencies = io::frequencies(config);
  c.options = fem::read_driven_options(config, run.device());
  static_cast<MaxwellSetup&>(c) = read_maxwell_setup(config, run);
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

std::optional<fem::System> assemble_open(const io::Config& config, run::Run& run) {
  const double frequency = io::frequencies(config)[0];
  const auto options = fem::read_driven_options(config);
  OpenCase c;
  static_cast<MaxwellSetup&>(c) = read_maxwell_setup(config, run);
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
