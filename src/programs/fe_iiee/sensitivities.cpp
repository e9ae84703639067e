// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/sensitivities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "truncation/surfaces.hpp"

namespace curlew::fe_iiee {
namespace {

using programs::Parameter;

green::ArrivingWave stated(const truncation::ArrivingWave& wave) {
  return {wave.theta_deg * pi / 180, wave.phi_deg * pi / 180, wave.angle};
}

std::vector<Index> nodes_of(const mesh::Mesh& mesh, std::span<const Index> triangles) {
  std::vector<Index> nodes;
  for (const Index t : triangles)
    nodes.insert(nodes.end(), mesh.triangle(t), mesh.triangle(t) + mesh.nodes_per_triangle());
  return nodes;
}

void refuse_setups(const io::Config& config, const Setup& setup) {
  const auto tables = config.tables("sensitivity");
  if (tables.empty()) return;
  const auto& table = tables.front();
  if (!setup.sources.empty())
    table.error("parameter",
                "results of dipoles and currents have no derivatives: drive ports or take waves");
  if (setup.splits())
    table.error("parameter", "waves on a part of a symmetric body have no derivatives: give the whole body");
  if (!config.table("truncation").has("distance")) return;
  for (const auto& p : tables)
    if (p.get<std::string>("parameter").starts_with("mesh."))
      p.error("parameter",
              "with truncation.distance there are no derivatives by parameters of the geometry: draw both "
              "surfaces in the geometry");
}

std::vector<Parameter> read_parameters(const io::Config& config, const Setup& setup,
                                       const TruncatedProblem& problem, run::Run& run) {
  refuse_setups(config, setup);
  const auto fixed = nodes_of(setup.mesh, problem.surfaces().outer);
  auto parameters = programs::read_parameters(
      config, {setup.mesh, setup.topology, setup.model, elsewhere_of(setup), fixed}, run);
  if (run.dry_run()) return parameters;
  const auto around = truncation::exterior_cells(setup.topology, problem.surfaces());
  for (const Parameter& p : parameters)
    programs::refuse_medium_around(p, setup.mesh, around, setup.sweep.frequencies.front());
  return parameters;
}

}  // namespace

void add_dual_waves(Setup& setup) {
  std::vector<green::ArrivingWave> waves;
  std::vector<std::vector<fields::Direction>> directions;
  for (const auto& wave : setup.waves) {
    waves.push_back(stated(wave));
    directions.push_back(directions_of(setup, wave));
  }
  setup.duals = programs::dual_waves(waves, directions);
}

TruncatedSensitivities::TruncatedSensitivities(const io::Config& config, const Setup& setup,
                                               const TruncatedProblem& problem, run::Run& run)
    : setup_(setup),
      run_(run),
      sensitivities_(read_parameters(config, setup, problem, run), setup.reference_impedance, run) {}

void TruncatedSensitivities::add(double frequency, const TruncatedProblem& problem, const Solved& solved) {
  if (sensitivities_.is_empty()) return;
  if (setup_.is_driven_by_ports())
    add_ports(problem, solved);
  else
    add_sections(frequency, problem, solved);
}

/// Fields of a symmetric model carry the part of 1 W that enters it; those of S are of 1 W into the model.
void TruncatedSensitivities::add_ports(const TruncatedProblem& problem, const Solved& solved) {
  fem::DrivenSolution ports = solved.ports;
  const std::size_t modes = problem.system().modes().size(),
                    size = modes * std::size_t(problem.system().space().num_dofs());
  ports.x.assign(solved.result.x.begin(), solved.result.x.begin() + std::ptrdiff_t(size));
  const double scale = std::sqrt(std::ldexp(1.0, int(problem.surfaces().planes.size())));
  for (Complex& x : ports.x) x *= scale;
  sensitivities_.add(problem.system(), ports);
}

void TruncatedSensitivities::add_sections(double frequency, const TruncatedProblem& problem,
                                          const Solved& solved) {
  const auto outside = problem.exterior(frequency);
  const double mu_r = outside.k * outside.impedance / (2 * pi * frequency * vacuum_permeability);
  std::vector<programs::ObservedSection> sections;
  for (const auto& at : setup_.duals.observations) {
    const auto far = far_field_of(problem, solved.result, at.wave, {at.direction}, outside, run_.device());
    sections.push_back({at, {far.e_theta[0], far.e_phi[0]}});
  }
  const auto columns = Eigen::Index(setup_.waves.size() + setup_.duals.added.size());
  const Eigen::Map<const Eigen::MatrixXcd> x(solved.result.x.data(), problem.system().space().num_dofs(),
                                             columns);
  sensitivities_.add(problem.system(), frequency, x, mu_r, sections);
}

}  // namespace curlew::fe_iiee
