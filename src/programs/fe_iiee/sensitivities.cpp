// SPDX-License-Identifier: BSD-3-Clause
// [[sensitivity]] of fe-iiee: S and impedances of ports, cross-sections of waves.
//
// The coupled system of the iteration is not symmetric, but the field inside S is also that of the exact
// condition on S, which is symmetric: xᵀ A' x of the finite elements gives derivatives from existing
// solutions, as accurate as results. S is where the mesh ends, not a part of the structure, and does not
// move.

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "programs/fe_iiee/job.hpp"
#include "truncation/surfaces.hpp"

namespace curlew::fe_iiee {
namespace {

using fem::Parameter;

green::ArrivingWave stated(const truncation::ArrivingWave& wave) {
  return {wave.theta_deg * pi / 180, wave.phi_deg * pi / 180, wave.angle};
}

std::vector<Index> nodes_of(const mesh::Mesh& mesh, std::span<const Index> triangles) {
  std::vector<Index> nodes;
  for (const Index t : triangles)
    nodes.insert(nodes.end(), mesh.triangle(t), mesh.triangle(t) + mesh.nodes_per_triangle());
  return nodes;
}

void refuse_setups(const io::Config& config, const TruncatedCase& c) {
  const auto tables = config.tables("sensitivity");
  if (tables.empty()) return;
  const auto& table = tables.front();
  if (!c.sources.empty())
    table.error("parameter",
                "results of dipoles and currents have no derivatives: drive ports or take waves");
  if (c.splits())
    table.error("parameter", "waves on a part of a symmetric body have no derivatives: give the whole body");
  if (!config.table("truncation").has("distance")) return;
  for (const auto& p : tables)
    if (p.get<std::string>("parameter").starts_with("mesh."))
      p.error("parameter",
              "with truncation.distance there are no derivatives by parameters of the geometry: draw both "
              "surfaces in the geometry");
}

/// Fields of a symmetric model carry the part of 1 W that enters it; those of S are of 1 W into the model.
void add_ports(const TruncatedJob& job, const Solved& s, fem::Sensitivities& to) {
  auto ports = job.ports_with_fields(s);
  for (Complex& x : ports.x) x *= std::sqrt(1 / job.share());
  to.add(job.system(), ports);
}

void add_sections(const TruncatedJob& job, double frequency, const Solved& s, fem::Sensitivities& to) {
  const auto& c = job.config();
  const auto outside = job.problem().exterior(frequency);
  const double mu_r = outside.k * outside.impedance / (2 * pi * frequency * vacuum_permeability);
  std::vector<fem::ObservedSection> sections;
  for (const auto& at : c.duals.observations) {
    const auto far = job.far_field(s, at.wave, {at.direction}, outside);
    sections.push_back({at, {far.e_theta[0], far.e_phi[0]}});
  }
  const auto columns = Eigen::Index(c.waves.size() + c.duals.added.size());
  const Eigen::Map<const Eigen::MatrixXcd> x(s.result.x.data(), Eigen::Index(job.num_dofs()), columns);
  to.add(job.system(), frequency, x, mu_r, sections);
}

}  // namespace

void add_dual_waves(TruncatedCase& c) {
  std::vector<green::ArrivingWave> waves;
  std::vector<std::vector<fields::Direction>> directions;
  for (const auto& wave : c.waves) {
    waves.push_back(stated(wave));
    directions.push_back(c.directions(wave));
  }
  c.duals = fields::dual_waves(waves, directions);
}

std::vector<Parameter> read_parameters(const io::Config& config, const TruncatedJob& job, run::Run& run) {
  const auto& c = job.config();
  const auto& surfaces = job.problem().surfaces();
  refuse_setups(config, c);
  const auto fixed = nodes_of(c.mesh, surfaces.outer);
  auto parameters = fem::read_parameters(config, {c.mesh, c.topology, c.model, c.elsewhere(), fixed}, run);
  if (run.dry_run()) return parameters;
  const auto around = truncation::exterior_cells(c.topology, surfaces);
  for (const Parameter& p : parameters)
    fem::refuse_medium_around(p, c.mesh, around, c.sweep.frequencies.front());
  return parameters;
}

std::unique_ptr<job::Sink<Solved>> derivative_sink(const TruncatedJob& job, std::vector<Parameter> parameters,
                                                   run::Run& run) {
  const auto derive = [&job](double frequency, const Solved& s, fem::Sensitivities& to) {
    if (s.is_written)
      job.config().is_driven_by_ports() ? add_ports(job, s, to) : add_sections(job, frequency, s, to);
  };
  return std::make_unique<fem::DerivativeSink<Solved>>(derive, std::move(parameters),
                                                       job.config().reference_impedance, run);
}

}  // namespace curlew::fe_iiee
