// SPDX-License-Identifier: BSD-3-Clause
#include "ie/passes/surface_outcome.hpp"

#include <algorithm>
#include <cmath>

#include "ie/passes/errors.hpp"
#include "ie/surface/current_jumps.hpp"
#include "results/pattern_bars.hpp"
#include "results/port_bars.hpp"

namespace curlew::ie {
namespace {

/// Quantities of all dipoles together and of each driven port: E_theta and E_phi in all directions, radiated
/// power.
fields::Quantities source_quantities(const SurfaceConfig& c, const SurfaceSolution& s,
                                     const RadiatedFields& radiated) {
  fields::Quantities q;
  for (std::size_t i = 0; i < radiated.powers.size(); ++i) {
    auto own = radiated.one(i);
    double power = radiated.powers[i];
    if (i == 0 && s.dipoles) {
      s.dipoles->add_far_field(c.pattern(), own);
      power = s.dipoles->powers(s.of(c.waves.size()), power).radiated;
    }
    fields::append_pattern(own, power, q);
  }
  return q;
}

fields::Quantities port_quantities(const SurfaceSolution& solution) {
  if (solution.ports.empty()) return {};
  const auto network = solution.network();
  const auto& s = network.scattering;
  fields::Quantities q(s.data(), s.data() + s.size());
  for (Eigen::Index i = 0; i < s.rows(); ++i) q.push_back(network.input_impedance(i));
  return q;
}

/// Like port_quantities: of S = (1 + Z0 Y)^-1 (1 - Z0 Y) for a small change of Y.
fields::Changes port_changes_at_rims(const SurfaceSolution& solution) {
  constexpr double safety = 1.5 / fields::order_safety;
  const auto n = Eigen::Index(solution.ports.size());
  if (n == 0) return {};
  const auto network = solution.network();
  const auto of_y = admittance_at_rims(solution.system, solution.volts.data(), solution.ports.size());
  const Eigen::MatrixXcd whole = Eigen::MatrixXcd::Identity(n, n) + network.scattering,
                         of_s = -0.5 * safety * network.reference * whole *
                                Eigen::Map<const Eigen::MatrixXcd>(of_y.data(), n, n) * whole;
  fields::Changes changes;
  changes.by_order.assign(of_s.data(), of_s.data() + of_s.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    const Complex left = 1.0 - network.scattering(i, i);
    changes.by_order.push_back(2 * network.reference / (left * left) * of_s(i, i));
  }
  return changes;
}

void add_source_bars(const SurfaceConfig& c, const SurfaceSolution& s, const SurfaceOutcome& outcome,
                     const SurfaceChanges& changes, results::ErrorReport& report) {
  const auto& q = outcome.sources;
  const std::size_t directions = c.pattern().size(), each = 2 * directions + 1, dipoles = s.dipoles ? 1 : 0;
  for (std::size_t i = 0; i < q.size() / each; ++i) {
    const auto label = i < dipoles ? "dipole" : source_name(c, s, c.waves.size() + i);
    auto error = fields::pattern_error(q, changes.sources, i * each, directions);
    if (i >= dipoles) raise_by_ports(outcome.ports, changes.ports, i - dipoles, error);
    results::add_pattern_bars(s.frequency, label, false, error, report);
  }
}

void add_port_bars(double frequency, const PortNetwork& network, const fields::Changes& changes,
                   results::ErrorReport& report) {
  const auto& s = network.scattering;
  Eigen::MatrixXd bars(s.rows(), s.cols()), elements(s.rows(), s.cols());
  for (Eigen::Index i = 0; i < s.size(); ++i) {
    bars.data()[i] = fields::bar_of(changes, std::size_t(i), 0);
    elements.data()[i] = fields::order_safety * std::abs(changes.by_order[std::size_t(i)]);
  }
  results::add_scattering_bars(frequency, s, bars, elements, report);
  for (Eigen::Index i = 0; i < s.rows(); ++i)
    results::add_impedance_bar(frequency, std::size_t(i) + 1, network.input_impedance(i),
                               fields::bar_of(changes, std::size_t(s.size() + i), 0), report);
}

}  // namespace

SurfaceOutcome outcome_of(const SurfaceConfig& c, const SurfaceSolution& s, const RadiatedFields& radiated) {
  SurfaceOutcome out{{}, source_quantities(c, s, radiated), port_quantities(s), port_changes_at_rims(s)};
  if (!c.waves.empty()) out.waves = wave_quantities(c, c.monostatic, FarFields(s.system), s.x.data());
  return out;
}

SurfaceChanges changes_of(const SurfaceOutcome& before, const SurfaceOutcome& finer,
                          const SurfaceOutcome& moved) {
  return {fields::changes_of(before.waves, finer.waves, moved.waves),
          fields::changes_of(before.sources, finer.sources, moved.sources),
          fields::changes_of(before.ports, finer.ports, moved.ports)};
}

SurfaceChanges left_after(const SurfaceOutcome& now, const SurfaceOutcome& before, double growth) {
  return {fields::left_after(now.waves, before.waves, growth),
          fields::left_after(now.sources, before.sources, growth),
          fields::left_after(now.ports, before.ports, growth)};
}

SurfaceChanges raised_at_rims(SurfaceChanges changes, const SurfaceOutcome& outcome) {
  changes.ports = fields::greater(changes.ports, outcome.at_rims);
  return changes;
}

SurfaceChanges greater(const SurfaceChanges& last, const SurfaceChanges& earlier) {
  return {fields::greater(last.waves, earlier.waves), fields::greater(last.sources, earlier.sources),
          fields::greater(last.ports, earlier.ports)};
}

void raise_by_ports(const fields::Quantities& ports, const fields::Changes& changes, std::size_t port,
                    fields::PatternError& error) {
  const auto n = Eigen::Index(std::sqrt(double(ports.size())));  // n S for each, and n impedances
  if (Eigen::Index(port) >= n) return;                           // all ports at once
  Eigen::VectorXd bars(n);
  const auto first = Eigen::Index(port) * n;
  for (Eigen::Index m = 0; m < n; ++m) bars[m] = fields::bar_of(changes, std::size_t(first + m), 0);
  const Eigen::Map<const Eigen::VectorXcd> s(&ports[std::size_t(first)], n);
  const double power =
                   n == 1 ? results::bar_of_power_of_currents(s[0], bars[0]) : results::bar_of_power(s, bars),
               field = 0.5 * power;
  error.power = std::max(error.power, power);
  for (std::size_t d = 0; d < error.field.size(); ++d)
    error.field[d] = std::max(error.field[d], field * error.strength[d]);
  error.relative = std::max(error.relative, field), error.order = std::max(error.order, field);
}

void add_bars(const SurfaceConfig& c, const SurfaceSolution& s, const SurfaceOutcome& outcome,
              const SurfaceChanges& by_meshes, results::ErrorReport& report) {
  const auto changes = raised_at_rims(by_meshes, outcome);
  if (!c.waves.empty())
    add_wave_bars(c, c.monostatic, s.frequency, wave_errors(outcome.waves, changes.waves, c.waves.size()),
                  report);
  add_source_bars(c, s, outcome, changes, report);
  if (!s.ports.empty()) add_port_bars(s.frequency, s.network(), changes.ports, report);
}

}  // namespace curlew::ie
