// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/open_system.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fem/driven/scattering.hpp"
#include "fem/ports/port_coupling.hpp"

namespace curlew::truncation {
OpenSystem::OpenSystem(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
                       const linalg::SystemOptions& options, std::vector<Index> outer)
    : MaxwellSystem(mesh, topology, model, options) {
  set_robin_triangles(std::move(outer));
}

void OpenSystem::take_frequency(double frequency) {
  omega_ = 2 * pi * frequency;
  states_ = mode_states(frequency);
  if (ports().empty()) return;
  const auto f = loads(frequency);
  const auto n = Eigen::Index(num_unknowns());
  loads_ = Eigen::Map<const Eigen::MatrixXcd>(f.data(), n, Eigen::Index(f.size()) / n);
}

void OpenSystem::factor(double frequency, Complex gamma) {
  const std::pair asked{frequency, gamma};
  take_frequency(frequency);
  if (factored_ == asked) return;
  factored_.reset();
  fill_matrix(frequency, gamma);
  prepare();
  if (ports().empty()) return static_cast<void>(factored_ = asked);
  mode_solutions_.resize(loads_.rows(), loads_.cols());
  solve_columns(loads_.data(), mode_solutions_.data(), Index(loads_.cols()));
  const Eigen::MatrixXcd coupling = fem::coupling_of(port_solutions(frequency));
  const Eigen::MatrixXcd g = loads_.transpose() * mode_solutions_;
  correction_ =
      coupling * fem::coupled_amplitudes(g, coupling, Eigen::MatrixXcd::Identity(g.rows(), g.cols()));
  factored_ = asked;
}

double OpenSystem::solve(const Complex* b, Complex* x, Index count, const std::vector<double>& tolerances) {
  report_ = solve_columns(b, x, count, tolerances);
  if (ports().empty()) return report_.residual;
  Eigen::Map<Eigen::MatrixXcd> columns(x, loads_.rows(), count);
  const Eigen::MatrixXcd v = loads_.transpose() * columns;
  columns -= mode_solutions_ * (correction_ * v);
  return report_.residual;
}

std::vector<Complex> OpenSystem::products_with_conjugates(std::span<const Index> rows, const Complex* x,
                                                          Index count) const {
  const auto n = std::size_t(num_unknowns());
  std::vector<Complex> conjugates(n), product(n), all;
  for (Index c = 0; c < count; ++c) {
    std::transform(x + std::size_t(c) * n, x + std::size_t(c + 1) * n, conjugates.begin(),
                   [](Complex z) { return std::conj(z); });
    solver().multiply(matrix(), conjugates.data(), product.data());
    for (const Index row : rows) all.push_back(product[std::size_t(row)]);
  }
  return all;
}

Complex OpenSystem::incident_amplitude(Eigen::Index mode, double power) const {
  return std::sqrt(power) * fem::amplitudes_of_one_watt({states_[std::size_t(mode)]}, omega_)[0];
}

fem::DrivenSolution OpenSystem::port_solution(const Complex* x, double power) const {
  fem::DrivenSolution solution;
  solution.frequency = omega_ / (2 * pi);
  const auto count = Eigen::Index(reported().size());
  const Eigen::Map<const Eigen::MatrixXcd> columns(x, space().num_dofs(), count);
  Eigen::MatrixXcd v = loads_(Eigen::all, reported()).transpose() * columns;
  for (Eigen::Index m = 0; m < count; ++m) {
    const Eigen::Index place = reported()[std::size_t(m)];
    v.col(m) /= incident_amplitude(place, power);
    solution.modes.push_back(states_[std::size_t(place)]);
  }
  solution.scattering.s = fem::scattering_of_amplitudes(v, solution.modes, omega_);
  return solution;
}

void OpenSystem::add_excitation(int reported_mode, double power, Complex* b) const {
  const Eigen::Index m = reported()[std::size_t(reported_mode)];
  const Complex admittance = states_[std::size_t(m)].admittance;
  Eigen::Map<Eigen::VectorXcd>(b, loads_.rows()) +=
      (2.0 * admittance * incident_amplitude(m, power)) * loads_.col(m);
}

std::vector<Complex> OpenSystem::outgoing(const Complex* x, int excited, double power) const {
  std::vector<Complex> waves;
  const Eigen::Map<const Eigen::VectorXcd> column(x, loads_.rows());
  for (std::size_t r = 0; r < modes().size(); ++r) {
    const Eigen::Index m = reported()[r];
    const fem::ModeState& state = states_[std::size_t(m)];
    const Complex y = state.terminal_admittance() / Complex(0, omega_ * vacuum_permeability);
    const Complex incident =
        int(r) == excited ? incident_amplitude(m, power) / state.feed.incident : Complex(0);
    // F holds real vectors in a guide of one medium; no conjugation elsewhere either: modes are bilinear.
    const Complex reflected =
        state.feed.outgoing * (loads_.col(m).transpose() * column)(0) + state.feed.direct * incident;
    // (V - Z* I) / 2 sqrt(Re Z) of V = a + b, I = (a - b) / Z, over sqrt 2 for peak values
    const Complex z = state.propagates ? state.power_phase : 1.0;
    const Complex wave = (reflected * z.real() + incident * Complex(0, z.imag())) / std::sqrt(z.real());
    waves.push_back(wave * std::sqrt(y / 2.0) / std::sqrt(power));
  }
  return waves;
}

}  // namespace curlew::truncation
