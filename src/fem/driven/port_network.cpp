// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/port_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fem/driven/power_waves.hpp"

namespace curlew::fem {
namespace {

/// A mode's own impedance; its wave impedance if the requested definition gives none.
Complex own_impedance(const ModeState& mode, double frequency) {
  if (mode.impedance != 0.0) return mode.impedance;
  return 2 * pi * frequency * vacuum_permeability / std::abs(mode.admittance) * mode.power_phase;
}

}  // namespace

PortNetwork::PortNetwork(const std::vector<PortPtr>& ports, std::vector<ModePlace> modes,
                         std::optional<Complex> reference)
    : ports_(ports), modes_(std::move(modes)), reference_(reference) {}

Complex PortNetwork::asked(std::size_t i, const ModeState& mode) const {
  if (port(i).reference_impedance) return *port(i).reference_impedance;
  return reference_ && mode.is_of_line() ? *reference_ : 0.0;
}

void PortNetwork::add(double frequency, std::vector<ModeState> modes, Eigen::MatrixXcd modal) {
  NetworkPoint point{frequency, frequency, std::move(modes), std::move(modal), {}, {}};
  std::vector<Complex> own, references;
  for (std::size_t i = 0; i < point.modes.size(); ++i) {
    references.push_back(asked(i, point.modes[i]));
    own.push_back(point.modes[i].impedance);
    if (references.back() != 0.0) port(i).require_impedance(std::size_t(modes_[i].mode), point.modes[i]);
    point.references.push_back(references.back() != 0.0 ? references.back()
                                                        : own_impedance(point.modes[i], frequency));
  }
  point.s = renormalized(point.modal, own, references);
  points_.push_back(std::move(point));
}

void PortNetwork::add_limit(double frequency, std::vector<ModeState> modes, const Eigen::MatrixXcd& modal) {
  std::vector<Complex> own, resistances;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const Complex reference = asked(i, modes[i]);
    own.push_back(modes[i].impedance);
    resistances.push_back(reference != 0.0 && own.back() != 0.0 ? reference.real() : std::abs(own.back()));
    modes[i].gamma = 0;
  }
  // Voltages and currents have real ratios: S is real for resistances as references, not for complex
  // impedances.
  const Eigen::MatrixXd real = renormalized(modal, own, resistances).real();
  add(frequency, std::move(modes), renormalized(real.cast<Complex>(), resistances, own));
  points_.back().frequency = 0;
}

std::string PortNetwork::reference_text(std::size_t i) const {
  const ModeState& mode = points_.front().modes[i];
  const Complex z = asked(i, mode) != 0.0 ? asked(i, mode) : mode.impedance;
  if (asked(i, mode) == 0.0 && mode.definition != ImpedanceDefinition::resistance) return "its own impedance";
  if (z.imag() == 0) return fmt::format("{:g} ohm", z.real());
  return fmt::format("{:g} {:+g}j ohm", z.real(), z.imag());
}

std::optional<std::vector<double>> PortNetwork::constant_references() const {
  std::vector<double> references;
  for (const Complex z : points_.front().references) {
    if (z.imag() != 0) return std::nullopt;
    references.push_back(z.real());
  }
  for (const NetworkPoint& point : points_)
    for (std::size_t i = 0; i < size(); ++i) {
      const bool stated =
          point.modes[i].definition == ImpedanceDefinition::resistance || asked(i, point.modes[i]) != 0.0;
      if (!stated || point.references[i] != references[i]) return std::nullopt;
    }
  return references;
}

std::optional<double> PortNetwork::common_reference() const {
  const auto all = constant_references();
  if (!all || std::ranges::any_of(*all, [&](double z) { return z != all->front(); })) return std::nullopt;
  return all->front();
}

Complex PortNetwork::input_impedance(const NetworkPoint& point, std::size_t i) const {
  const Complex s = point.modal(Eigen::Index(i), Eigen::Index(i));
  return point.modes[i].impedance * (1.0 + s) / (1.0 - s);
}

}  // namespace curlew::fem
