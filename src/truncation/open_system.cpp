// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/open_system.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/driven/boundary_conditions.hpp"
#include "fem/driven/system_terms.hpp"
#include "linalg/dense/decompositions.hpp"

namespace curlew::truncation {

namespace {

double wavenumber(double frequency) {
  return 2 * pi * frequency / speed_of_light;
}

/// Re Z / |Z| of a mode's impedance; 1 where the mode keeps travelling waves.
double power_share(const fem::ModeState& state) {
  return state.propagates ? state.power_phase.real() : 1;
}

bool is_reciprocal(const fem::Model& model) {
  return std::all_of(model.materials.begin(), model.materials.end(),
                     [](const auto& m) { return m.epsilon_r.is_symmetric() && m.mu_r.is_symmetric(); });
}

}  // namespace

OpenSystem::OpenSystem(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
                       const linalg::SystemOptions& options)
    : model_(model),
      space_(fem::make_space(mesh, topology, model.order, fem::pec_triangles(model, mesh))),
      assembler_(space_),
      options_(options),
      matrix_(assembler_.create_matrix<Complex>()) {
  Eigen::Index place = 0;
  for (std::size_t p = 0; p < model.ports.size(); ++p) {
    ports_.push_back(fem::make_modal_port(model.ports[p], model, space_, fmt::format("port {}", p + 1)));
    for (int m = 0; m < ports_.back().num_modes(); ++m, ++place) {
      if (m >= ports_.back().num_reported) continue;
      reported_place_.push_back(place);
      reported_.push_back({int(p), m});
    }
  }
  options_.direct.symmetry =
      is_reciprocal(model) ? linalg::Symmetry::symmetric : linalg::Symmetry::unsymmetric;
  const auto& offsets = space_.block_offsets;
  solver_ =
      std::make_unique<linalg::SystemSolver>(options_, std::vector<Index>{offsets.begin(), offsets.end()});
}

void OpenSystem::analyse() {
  solver_->analyse(matrix_);
}

void OpenSystem::check_ports(double frequency) {
  omega_ = 2 * pi * frequency;
  solutions_.clear(), states_.clear();
  for (const fem::ModalPort& port : ports_) {
    solutions_.push_back(fem::solve_port(port, model_, space_, frequency));
    const auto& modes = solutions_.back().modes;
    states_.insert(states_.end(), modes.begin(), modes.end());
    if (!modes[0].propagates)
      throw InputError(fmt::format("port \"{}\": {:.6g} GHz is below the cut-off of its first mode {}",
                                   port.region, 1e-9 * frequency, port.modes[0].name));
  }
}

void OpenSystem::gather_loads() {
  const auto n = Eigen::Index(space_.num_dofs());
  Eigen::Index columns = 0;
  loads_.resize(n, 0);
  const auto add_columns = [&](const fem::ModalPort& port, const auto& values) {
    if (port.dofs.empty()) return;
    const std::size_t dofs = port.dofs.size();
    const auto more = Eigen::Index(values.size() / dofs);
    loads_.conservativeResizeLike(Eigen::MatrixXcd::Zero(n, columns + more));
    for (std::size_t i = 0; i < values.size(); ++i)
      loads_(port.dofs[i % dofs], columns + Eigen::Index(i / dofs)) = values[i];
    columns += more;
  };
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (ports_[p].is_dispersive())
      add_columns(ports_[p], solutions_[p].loads);
    else
      add_columns(ports_[p], ports_[p].loads);
  }
  for (std::size_t p = 0; p < ports_.size(); ++p) add_columns(ports_[p], solutions_[p].shapes);
}

void OpenSystem::factor(double frequency, const std::vector<Index>& robin_triangles, Complex gamma) {
  check_ports(frequency);
  const double k0 = wavenumber(frequency);
  const auto materials = fem::materials_at(model_, *space_.mesh, frequency);
  assembler_.assemble<Complex>(materials, 1.0, -k0 * k0, matrix_.values.data());
  fem::add_boundary_conditions(model_, space_, frequency, matrix_);
  fem::add_tangential_mass(space_, robin_triangles, gamma, matrix_);
  for (std::size_t p = 0; p < ports_.size(); ++p)
    fem::add_port_reference(ports_[p], space_, solutions_[p].modes[0].reference, matrix_);
  solver_->prepare(matrix_);
  if (ports_.empty()) return;
  gather_loads();
  mode_solutions_.resize(loads_.rows(), loads_.cols());
  solver_->solve(loads_.data(), mode_solutions_.data(), Index(loads_.cols()));
  const Eigen::MatrixXcd coupling = fem::coupling_of(solutions_);
  const Eigen::MatrixXcd kg = coupling * (loads_.transpose() * mode_solutions_);
  correction_ =
      linalg::solve(Eigen::MatrixXcd(Eigen::MatrixXcd::Identity(kg.rows(), kg.cols()) + kg), coupling);
}

double OpenSystem::solve(const Complex* b, Complex* x, Index count, const std::vector<double>& tolerances) {
  report_ = solver_->solve(b, x, count, tolerances);
  if (ports_.empty()) return report_.residual;
  Eigen::Map<Eigen::MatrixXcd> columns(x, loads_.rows(), count);
  const Eigen::MatrixXcd v = loads_.transpose() * columns;
  columns -= mode_solutions_ * (correction_ * v);
  return report_.residual;
}

Complex OpenSystem::product_with_conjugate(Index row, const Complex* x) const {
  Complex sum = 0;
  for (Offset k = matrix_.row_offsets[row]; k < matrix_.row_offsets[row + 1]; ++k)
    sum += matrix_.values[k] * std::conj(x[matrix_.columns[k]]);
  return sum;
}

double OpenSystem::incident_amplitude(Eigen::Index mode, double power) const {
  // |a|² |Y| / 2 cos arg Z = power, with Y = c / (j omega mu0): a power wave is |V|² / 2 Re Z
  const fem::ModeState& state = states_[std::size_t(mode)];
  return std::sqrt(2 * power * power_share(state) * omega_ * vacuum_permeability /
                   std::abs(state.admittance));
}

bool OpenSystem::has_symmetric_scattering() const {
  return is_reciprocal(model_);
}

fem::DrivenSolution OpenSystem::port_solution(const Complex* x, double power) const {
  fem::DrivenSolution solution;
  solution.frequency = omega_ / (2 * pi);
  const auto count = Eigen::Index(reported_place_.size());
  const Eigen::Map<const Eigen::MatrixXcd> columns(x, space_.num_dofs(), count);
  Eigen::MatrixXcd v = loads_(Eigen::all, reported_place_).transpose() * columns;
  for (Eigen::Index m = 0; m < count; ++m) {
    const Eigen::Index place = reported_place_[std::size_t(m)];
    v.col(m) /= incident_amplitude(place, power);
    solution.modes.push_back(states_[std::size_t(place)]);
  }
  solution.scattering.s = fem::scattering_of_amplitudes(v, solution.modes, omega_);
  return solution;
}

void OpenSystem::add_excitation(int reported_mode, double power, Complex* b) const {
  const Eigen::Index m = reported_place_[std::size_t(reported_mode)];
  const Complex admittance = states_[std::size_t(m)].admittance;
  Eigen::Map<Eigen::VectorXcd>(b, loads_.rows()) +=
      (2.0 * admittance * incident_amplitude(m, power)) * loads_.col(m);
}

std::vector<Complex> OpenSystem::outgoing(const Complex* x, int excited, double power) const {
  std::vector<Complex> waves;
  const Eigen::Map<const Eigen::VectorXcd> column(x, loads_.rows());
  for (std::size_t r = 0; r < reported_.size(); ++r) {
    const Eigen::Index m = reported_place_[r];
    const fem::ModeState& state = states_[std::size_t(m)];
    const Complex y = state.admittance / Complex(0, omega_ * vacuum_permeability);
    const double incident = int(r) == excited ? incident_amplitude(m, power) : 0;
    // F holds real vectors in a guide of one medium; no conjugation elsewhere either: modes are bilinear.
    const Complex reflected = (loads_.col(m).transpose() * column)(0) - incident;
    // (V - Z* I) / 2 sqrt(Re Z) of V = a + b, I = (a - b) / Z, over sqrt 2 for peak values
    const Complex z = state.propagates ? state.power_phase : 1.0;
    const Complex wave = (reflected * z.real() + incident * Complex(0, z.imag())) / std::sqrt(z.real());
    waves.push_back(wave * std::sqrt(y / 2.0) / std::sqrt(power));
  }
  return waves;
}

}  // namespace curlew::truncation
