// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/sensitivities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/materials.hpp"
#include "truncation/surfaces.hpp"

namespace curlew::fe_iiee {
namespace {

using programs::Parameter;

green::ArrivingWave stated(const truncation::ArrivingWave& wave) {
  return {wave.theta_deg * pi / 180, wave.phi_deg * pi / 180, wave.angle};
}

bool is_same(const fem::Material& a, const fem::Material& b) {
  const auto e = a.epsilon_r.as_tensor(), f = b.epsilon_r.as_tensor();
  const auto m = a.mu_r.as_tensor(), n = b.mu_r.as_tensor();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (e(i, j) != f(i, j) || m(i, j) != n(i, j)) return false;
  return true;
}

/// The medium around goes on to infinity: radiation would change with it.
void refuse_medium_around(const Parameter& parameter, const Setup& setup, const TruncatedProblem& problem) {
  if (parameter.is_shape()) return;
  const double f = setup.sweep.frequencies.front();
  const auto low = fem::materials_at(parameter.low.model, setup.mesh, f),
             high = fem::materials_at(parameter.high.model, setup.mesh, f);
  for (const Index c : truncation::exterior_cells(setup.topology, problem.surfaces()))
    if (!is_same(low.of(c), high.of(c)))
      throw InputError(fmt::format(
          "[[sensitivity]] parameter = \"{}\": the medium between \"{}\" and \"{}\" goes on to infinity and "
          "has no derivative; a body of the same medium takes a [[material]] of its own",
          parameter.name, setup.options.names.inner, setup.options.names.outer));
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
              "numbers of the geometry have no derivatives where truncation.distance makes surfaces around a "
              "body: draw inner and outer in the geometry");
}

std::vector<Parameter> read_parameters(const io::Config& config, const Setup& setup,
                                       const TruncatedProblem& problem, run::Run& run) {
  refuse_setups(config, setup);
  auto parameters = programs::read_parameters(
      config, {setup.mesh, setup.topology, setup.model, elsewhere_of(setup), problem.surfaces().outer}, run);
  if (run.dry_run()) return parameters;
  for (const Parameter& p : parameters) refuse_medium_around(p, setup, problem);
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
