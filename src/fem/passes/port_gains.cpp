// SPDX-License-Identifier: BSD-3-Clause
#include "fem/passes/port_gains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "fem/error/edge_ratio.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/error/solved_again.hpp"
#include "fem/open/symmetric_waves.hpp"
#include "fem/open/total_scattered_source.hpp"
#include "fem/passes/passes.hpp"
#include "fem/report/combined.hpp"
#include "fem/setup/cut_ports.hpp"

namespace curlew::fem {
namespace {

/// Least bar of a gain as a share of that of |F|²: field and accepted power do not cancel more exactly than
/// their changes are known.
constexpr double least_share = 0.1;

/// |F|² [V²] of 1 W in all directions alike.
constexpr double isotropic = 2 * vacuum_impedance / (4 * pi);

/// For each excited mode: the pattern, the accepted power, and the root of the greatest gain, in which equal
/// relative changes of field and power cancel. @param first quantities that decide the signs of modes and the
/// directions of gains; empty: those computed here
fields::Quantities patterns_of(const DrivenProblem& problem, const FarFieldRequest& request,
                               const DrivenSolution& solution, Device device,
                               const fields::Quantities& first = {}) {
  const RadiationCalculator calculator(problem.space(), problem.model(), request, device);
  fields::Quantities all;
  for (const Eigen::Index m : excited_modes(problem.ports(), problem.modes())) {
    const auto far =
        calculator.compute(&solution.x[std::size_t(m * problem.space().num_dofs())], 1, solution.frequency)
            .front();
    const std::size_t begin = all.size(), directions = far.directions.size();
    const double accepted =
        accepted_power({m, 0, 0, modes_of_port(problem.modes(), m)}, solution.scattering.s);
    fields::append_pattern(far, accepted, all);
    const fields::Quantities& reference = first.empty() ? all : first;
    Complex product{};
    for (std::size_t i = begin; i < begin + 2 * directions; ++i) product += std::conj(reference[i]) * all[i];
    if (product.real() < 0)
      for (std::size_t i = begin; i < begin + 2 * directions; ++i) all[i] *= -1;
    const auto strength = [&](const fields::Quantities& of, std::size_t d) {
      return std::hypot(std::abs(of[begin + d]), std::abs(of[begin + directions + d]));
    };
    std::size_t greatest = 0;
    for (std::size_t d = 1; d < directions; ++d)
      if (strength(reference, d) > strength(reference, greatest)) greatest = d;
    all.emplace_back(strength(all, greatest) / std::sqrt(accepted));
  }
  return all;
}

}  // namespace

bool has_gain_errors(const MaxwellSetup& setup) {
  return setup.far_field && setup.model.periodicity.empty() &&
         copies_of_whole(setup) == setup.symmetry.copies();
}

PortGains::PortGains(DrivenProblem& problem, const MaxwellSetup& setup, const DrivenSolution& solution,
                     Device device, double least_gain)
    : problem_(problem),
      setup_(setup),
      surface_(make_radiating_surface(problem.space(), problem.model(), setup.far_field->surface)),
      frequency_(solution.frequency),
      s_(solution.scattering.s) {
  const RadiationCalculator calculator(problem.space(), problem.model(), *setup.far_field, device);
  const Eigen::Index n = problem.space().num_dofs(), count = s_.rows();
  std::vector<Complex> loads;
  for (const Eigen::Index m : excited_modes(problem.ports(), problem.modes())) {
    const auto far = calculator.compute(&solution.x[std::size_t(m * n)], 1, frequency_).front();
    const auto peak = fields::peak_of(far.directions, far);
    PortPeak place{m, count + Eigen::Index(size()),
                   2 * setup.symmetry.copies() / (4 * pi * std::sqrt(peak.square())),
                   modes_of_port(problem.modes(), m)};
    const double accepted = accepted_power(place, s_);
    if (!(accepted > 1e-12) || !(peak.square() > least_gain * isotropic * accepted)) continue;
    peaks_.push_back(peak);
    places_.push_back(std::move(place));
    const auto one = load(problem.space(), peak);
    loads.insert(loads.end(), one.begin(), one.end());
  }
  const auto duals = loads.empty() ? loads : problem.solve_sources(frequency_, loads);
  x_.resize(n, count + Eigen::Index(size()));
  x_.leftCols(count) = Eigen::Map<const Eigen::MatrixXcd>(solution.x.data(), n, count);
  x_.rightCols(Eigen::Index(size())) =
      Eigen::Map<const Eigen::MatrixXcd>(duals.data(), n, Eigen::Index(size()));
}

/// The load of the part with the model's symmetry of a wave of 1 V/m that arrives from a peak with its
/// polarisation, conjugated.
std::vector<Complex> PortGains::load(const NedelecSpace& space, const fields::Peak& peak) const {
  const double k0 = wavenumber(frequency_), size = std::sqrt(peak.square()) * (surface_.outside ? -1 : 1);
  std::vector<Complex> load(std::size_t(space.num_dofs()));
  const auto add = [&](double polarization, Complex amplitude) {
    const auto wave = symmetric_wave(setup_.symmetry, peak.direction, polarization);
    const auto part = wave_load(space, surface_, incident_field(wave, k0), k0);
    for (std::size_t d = 0; d < load.size(); ++d) load[d] += std::conj(amplitude) / size * part[d];
  };
  if (peak.theta != 0.0) add(0, peak.theta);
  if (peak.phi != 0.0) add(pi / 2, peak.phi);
  return load;
}

double PortGains::gain(std::size_t i) const {
  const fields::Peak& peak = peaks_[i];
  return fields::directivity(peak.theta, peak.phi, setup_.symmetry.copies() * accepted_power(places_[i], s_),
                             vacuum_impedance);
}

Eigen::MatrixXd PortGains::weights() const {
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(x_.cols(), x_.cols());
  const double form = std::abs(form_of_scattering(frequency_));
  for (const PortPeak& place : places_) {
    weights(place.row, place.column) += place.weight;
    for (const Eigen::Index m : place.modes)
      weights(m, place.column) += 2 * std::abs(s_(m, place.column)) / (form * accepted_power(place, s_));
  }
  return weights;
}

SurplusErrors PortGains::test(const Eigen::MatrixXd& weights) const {
  const auto loads = [&](const NedelecSpace& space) {
    std::vector<Complex> all(std::size_t(space.num_dofs()) * std::size_t(s_.cols()));
    for (const auto& peak : peaks_) {
      const auto one = load(space, peak);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  };
  return surplus_errors(problem_.space(), problem_.model(), frequency_, x_, weights, {{}, {}, loads});
}

double PortGains::bar_of_square(std::size_t i, const SurplusErrors& found) const {
  const PortPeak& place = places_[i];
  // The change of the complex field, which is not all in phase with it.
  return place.weight * surplus_bar(found.gradients(place.row, place.column),
                                    found.others(place.row, place.column),
                                    missing_of_one_mesh(problem_.space(), problem_.model(), found));
}

double PortGains::bar(std::size_t i, const SurplusErrors& found) const {
  const auto of_gain = [&](const Eigen::MatrixXcd& changes) {
    return change_of_gain(places_[i], s_, form_of_scattering(frequency_), changes);
  };
  return std::max(surplus_bar(of_gain(found.gradients), of_gain(found.others),
                              missing_of_one_mesh(problem_.space(), problem_.model(), found)),
                  least_share * bar_of_square(i, found));
}

void add_gains(DrivenProblem& problem, const MaxwellSetup& setup, const DrivenSolution& solution,
               Device device, mesh::Pass& pass) {
  const PortGains gains(problem, setup, solution, device, least_gain_of_passes);
  const auto found = gains.test(gains.weights());
  add_shares(found, problem.space(), problem.model(), pass);
  std::size_t i = 0;
  for (const Eigen::Index m : excited_modes(problem.ports(), problem.modes())) {
    mesh::Pass::Quantity q{fmt::format("gain{} {:.6g} GHz", m + 1, 1e-9 * solution.frequency), 0.0, 0.0, 0};
    if (i < gains.size() && gains.column(i) == m)
      q.value = gains.gain(i), q.estimate = gains.bar(i, found), ++i;
    q.scale = std::max(std::abs(q.value), least_gain_of_passes);
    pass.quantities.push_back(std::move(q));
  }
}

std::vector<PatternOfMode> patterns_solved_again(const DrivenProblem& problem, const MaxwellSetup& setup,
                                                 const DrivenOptions& options, const ShapeVariant* shape,
                                                 const std::vector<double>& followed,
                                                 const DrivenSolution& solution, Device device) {
  const auto& request = *setup.far_field;
  const auto reported = patterns_of(problem, request, solution, device);
  const auto solve = [&](const mesh::Mesh& on, int order) {
    Model model = problem.model();
    model.set_order(order);
    DrivenProblem again(on, setup.topology, std::move(model), options);
    again.analyse();
    if (again.has_dispersive_ports())
      for (const double f : followed)
        if (f < solution.frequency) again.mode_states(f);
    return patterns_of(again, request, again.solve(solution.frequency), device, reported);
  };
  const auto changes = solve_again(reported, setup.model.order, setup.mesh, shape, solve, {},
                                   least_ratio(setup.mesh, setup.topology, setup.model));
  const std::size_t directions = request.theta_deg.size() * request.phi_deg.size(), each = 2 * directions + 2;
  std::vector<PatternOfMode> patterns;
  for (const Eigen::Index m : excited_modes(problem.ports(), problem.modes())) {
    const std::size_t first = patterns.size() * each, gain = first + each - 1;
    double ratio = 0;
    auto error = pattern_error(reported, changes, first, directions, &ratio);
    error.gain = 2 * bar_of(changes, gain, ratio) / std::abs(reported[gain]);
    patterns.push_back({m, std::move(error)});
  }
  return patterns;
}

}  // namespace curlew::fem
