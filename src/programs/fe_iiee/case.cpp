// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/model/read_port.hpp"
#include "fem/model/region_rules.hpp"
#include "fem/model/split_surfaces.hpp"
#include "fem/system/coarse_order.hpp"
#include "io/frequency.hpp"
#include "io/touchstone.hpp"
#include "mesh/regions.hpp"

namespace curlew::fe_iiee {
namespace {

/// Dipoles and currents; waves are read separately.
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

/// Every step of the truncation is a solve, about ten in all. Factors in single precision do not save time if
/// each of many solutions is refined.
linalg::SystemOptions read_solver(const io::Config& config, std::size_t waves, const run::Run& run) {
  linalg::SystemOptions solver = fem::read_driven_options(config, run.device(), run.processes());
  solver.spread = true;
  if (solver.numbers == linalg::FactorNumbers::automatic)
    solver.numbers = linalg::FactorNumbers::double_precision;
  solver.right_hand_sides = 10 * std::max(1, int(waves));
  return solver;
}

fem::SweepRequest read_sweep(const io::Config& config, const std::vector<double>& frequencies,
                             bool is_driven_by_ports, double tolerance) {
  auto sweep = fem::read_sweep(config, frequencies, true, !is_driven_by_ports, tolerance);
  if (sweep.fast)
    config.table("frequency")
        .require(sweep.fast->tolerance >= 10 * tolerance, "adaptive_tolerance",
                 fmt::format(
                     "adaptive_tolerance must be at least ten times truncation.tolerance = {:g}, the error "
                     "of the solutions that it interpolates",
                     tolerance));
  return sweep;
}

/// The mesh ends at two surfaces that are there, and nowhere else.
void check_ends(const io::Config& config, const TruncatedCase& c) {
  const io::Config table = config.table("truncation");
  const auto& names = c.options.names;
  for (const auto& name : {names.inner, names.outer})
    if (mesh::find_region(c.mesh.surfaces, name) == nullptr)
      table.error("surfaces",
                  fmt::format("{}: name the two surfaces at which the mesh ends, or set distance = 0.1",
                              mesh::no_region(c.mesh, "surface", name)));
  for (const auto& layer : config.tables("pml"))
    layer.require(!layer.has("around"), "around",
                  "fe-iiee truncates the mesh by its iteration: leave [[pml]] out");
}

void check_drive(const io::Config& config, const TruncatedCase& c) {
  if (c.is_driven_by_ports() && c.model.ports.empty())
    throw InputError(
        fmt::format("{}: nothing drives the problem: add [excitation] or a [[port]]", config.file()));
  for (const auto& port : c.model.ports)
    if (port.drive && !c.is_driven_by_ports())
      config.error(
          "excitation",
          fmt::format(
              "with an [excitation] the ports are matched: leave out amplitude and phase of port \"{}\"",
              port.region));
}

}  // namespace

std::vector<std::string> TruncatedCase::elsewhere() const {
  const auto& names = options.names;
  std::vector<std::string> elsewhere{names.outer};
  if (splits()) elsewhere.insert(elsewhere.end(), names.symmetry.begin(), names.symmetry.end());
  return elsewhere;
}

std::vector<fields::Direction> TruncatedCase::directions(const truncation::ArrivingWave& wave) const {
  if (!far_field.monostatic) return far_field.directions;
  return {wave.source()};
}

TruncatedCase read_case(mesh::Mesh mesh, const io::Config& config, run::Run& run) {
  TruncatedCase c;
  const auto frequencies = io::frequencies(config);
  const io::Config output = config.table("output");
  c.options = truncation::read_truncation(config);
  c.waves = truncation::read_waves(config);
  c.options.solver = read_solver(config, c.waves.size(), run);
  c.options.device = run.device();
  c.accuracy = results::read_accuracy(config);
  c.far_field = truncation::read_far_field_request(config);
  c.write_fields = output.get_or<bool>("fields", true);
  c.field_cells = fem::read_field_cells(config);
  c.mesh = std::move(mesh);
  check_ends(config, c);
  fem::split_surfaces(config, c.mesh);
  c.topology = mesh::build_topology(c.mesh);
  if (c.waves.empty()) c.sources = read_sources(config, c.mesh);
  c.model = fem::read_model(config, c.mesh, c.topology, c.elsewhere());
  c.near_fields = io::read_near_fields(config, fem::length_unit(config));
  c.sweep = read_sweep(config, frequencies, c.is_driven_by_ports(), c.options.iteration.tolerance);
  c.options.solver.frequencies = c.sweep.expected_solutions();
  fem::choose_coarse_order(c.mesh, c.model, frequencies.back(), c.options.solver);
  c.reference_impedance = fem::read_reference_impedance(output);
  c.touchstone = io::read_touchstone_version(output);
  config.allow({"sensitivity"});
  config.check_unknown_keys();
  check_drive(config, c);
  return c;
}

}  // namespace curlew::fe_iiee
