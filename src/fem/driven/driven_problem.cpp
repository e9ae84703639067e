// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/driven_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/driven/boundary_conditions.hpp"
#include "fem/driven/system_terms.hpp"

namespace curlew::fem {
namespace {

double wavenumber(double frequency) {
  return 2 * pi * frequency / speed_of_light;
}

std::vector<ModalPort> make_ports(const Model& model, const NedelecSpace& space) {
  std::vector<ModalPort> ports;
  for (std::size_t i = 0; i < model.ports.size(); ++i) {
    ports.push_back(make_modal_port(model.ports[i], space, fmt::format("port {}", i + 1)));
  }
  if (ports.empty()) throw InputError("a driven problem needs at least one [[port]]");
  return ports;
}

}  // namespace

DrivenProblem::DrivenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, Model model,
                             DrivenOptions options)
    : model_(std::move(model)),
      options_(std::move(options)),
      space_(make_space(mesh, topology, model_.order, pec_triangles(model_, mesh))),
      assembler_(space_),
      ports_(make_ports(model_, space_)),
      system_(assembler_.create_matrix<Complex>()) {
  for (int p = 0; p < int(ports_.size()); ++p) {
    for (int m = 0; m < ports_[std::size_t(p)].num_modes(); ++m) {
      if (m < ports_[std::size_t(p)].num_reported) {
        reported_.push_back(Eigen::Index(places_.size()));
        reported_places_.push_back({p, m});
      }
      places_.push_back({p, m});
    }
  }
  options_.direct.symmetry = is_reciprocal() ? linalg::Symmetry::symmetric : linalg::Symmetry::unsymmetric;
  solver_ = linalg::make_direct_solver<Complex>(options_.direct);
}

bool DrivenProblem::is_reciprocal() const {
  return std::all_of(model_.materials.begin(), model_.materials.end(), [](const RegionMaterial& m) {
    return m.epsilon_r.is_symmetric() && m.mu_r.is_symmetric();
  });
}

std::vector<ModeState> DrivenProblem::mode_states(double frequency) const {
  const double k0 = wavenumber(frequency);
  const CellMaterials materials = materials_at(model_, *space_.mesh, frequency);
  std::vector<ModeState> states;
  for (const ModalPort& port : ports_) {
    const Material medium = port_medium(port, space_, materials);
    const Complex eps = medium.epsilon_r.scalar, mu = medium.mu_r.scalar;
    const Complex reference = reference_admittance(port, model_, space_, frequency);
    for (const WaveguideMode& mode : port.modes) {
      const Complex gamma = mode.gamma(k0, eps, mu);
      states.push_back(
          {gamma, mode.admittance(k0, eps, mu), reference, std::abs(gamma.imag()) > std::abs(gamma.real())});
      if (&mode != &port.modes[0] || states.back().propagates) continue;
      throw InputError(
          fmt::format("port \"{}\": {:.6g} GHz is below the cut-off of its first mode {}, {:.6g} GHz",
                      port.region, 1e-9 * frequency, mode.name(), 1e-9 * mode.cutoff_frequency(eps, mu)));
    }
  }
  return states;
}

void DrivenProblem::assemble(double frequency, linalg::Csr<Complex>& system, PortReference reference) const {
  const double k0 = wavenumber(frequency);
  const CellMaterials materials = materials_at(model_, *space_.mesh, frequency);
  assembler_.assemble<Complex>(materials, 1.0, -k0 * k0, system.values.data());
  add_boundary_conditions(model_, space_, frequency, system);
  for (const ModalPort& port : ports_) {
    add_tangential_mass(space_, port.triangles,
                        reference_admittance(port, model_, space_, frequency, reference), system);
  }
}

std::vector<Complex> DrivenProblem::loads() const {
  const auto n = std::size_t(space_.num_dofs());
  std::vector<Complex> f(n * places_.size());
  for (std::size_t column = 0; column < places_.size(); ++column) {
    const ModalPort& port = ports_[std::size_t(places_[column].port)];
    const double* load = &port.loads[std::size_t(places_[column].mode) * port.dofs.size()];
    for (std::size_t i = 0; i < port.dofs.size(); ++i) f[column * n + std::size_t(port.dofs[i])] = load[i];
  }
  return f;
}

void DrivenProblem::analyse() {
  solver_->analyse(system_);
}

DrivenSolution DrivenProblem::solve(double frequency) {
  DrivenSolution solution;
  solution.frequency = frequency;
  const std::vector<ModeState> states = mode_states(frequency);
  for (const Eigen::Index i : reported_) solution.modes.push_back(states[std::size_t(i)]);
  assemble(frequency, system_);
  solver_->factor(system_);

  using Matrix = Eigen::MatrixXcd;
  const auto n = Eigen::Index(space_.num_dofs()), count = Eigen::Index(places_.size());
  const std::vector<Complex> f = loads();
  Matrix x(n, count);
  solution.residual =
      linalg::solve_refined(*solver_, system_, f.data(), x.data(), Index(count), 2, options_.tolerance);
  const Matrix g = Eigen::Map<const Matrix>(f.data(), n, count).transpose() * x;
  solution.scattering = scattering(g, states, reported_, 2 * pi * frequency);
  solution.x.resize(std::size_t(n) * reported_.size());
  Eigen::Map<Matrix>(solution.x.data(), n, Eigen::Index(reported_.size())) = x * solution.scattering.weights;
  return solution;
}

}  // namespace curlew::fem
