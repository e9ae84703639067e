// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/port_gains.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "fem/adaptive/surplus.hpp"
#include "fem/error/gain_error.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/open/symmetric_waves.hpp"
#include "fem/open/total_scattered_source.hpp"
#include "fem/setup/cut_ports.hpp"
#include "fields/pattern.hpp"
#include "results/pattern_bars.hpp"
#include "results/port_bars.hpp"

namespace curlew::programs {
namespace {

/// Least bar of a gain as a share of that of |F|²: field and accepted power do not cancel more exactly than
/// their changes are known.
constexpr double least_share = 0.1;

/// Gains below this are rounding, as of a dipole along its axis; |F|² [V²] of 1 W in all directions alike.
constexpr double least_gain = 1e-9, isotropic = 2 * vacuum_impedance / (4 * pi);

/// The load of the part with the model's symmetry of a wave of 1 V/m that arrives from a peak with its
/// polarisation, conjugated.
std::vector<Complex> dual_load(const fem::NedelecSpace& space, const fem::RadiatingSurface& surface,
                               const fem::Symmetry& symmetry, const fields::Peak& peak, double k0) {
  const double size = std::sqrt(peak.square()) * (surface.outside ? -1 : 1);
  std::vector<Complex> load(std::size_t(space.num_dofs()));
  const auto add = [&](double polarization, Complex amplitude) {
    const auto wave = fem::symmetric_wave(symmetry, peak.direction, polarization);
    const auto part = fem::wave_load(space, surface, fem::incident_field(wave, k0), k0);
    for (std::size_t d = 0; d < load.size(); ++d) load[d] += std::conj(amplitude) / size * part[d];
  };
  if (peak.theta != 0.0) add(0, peak.theta);
  if (peak.phi != 0.0) add(pi / 2, peak.phi);
  return load;
}

}  // namespace

bool has_gain_bars(const DrivenCase& c) {
  return c.far_field && c.model.periodicity.empty() && fem::copies_of_whole(c) == c.symmetry.copies();
}

fem::SurplusErrors add_gain_bars(DrivenJob& job, const fem::DrivenSolution& solution,
                                 results::ErrorReport& report, run::Run& run) {
  const auto& c = job.config();
  const auto& system = job.problem();
  const auto& space = system.space();
  const double f = solution.frequency, k0 = wavenumber(f);
  const auto surface = fem::make_radiating_surface(space, system.model(), c.far_field->surface);
  const fem::RadiationCalculator calculator(space, system.model(), *c.far_field, run.device());
  const Eigen::Index n = space.num_dofs(), count = solution.scattering.s.rows();
  std::vector<fields::Peak> peaks;
  std::vector<fem::PortPeak> of_ports;
  std::vector<Complex> loads;
  for (const Eigen::Index m : job.excited()) {
    const auto far = calculator.compute(&solution.x[std::size_t(m * n)], 1, f).front();
    const auto peak = fields::peak_of(far.directions, far);
    const double size = std::sqrt(peak.square());
    fem::PortPeak of_port{m, count + Eigen::Index(of_ports.size()), 2 * c.symmetry.copies() / (4 * pi * size),
                          fem::modes_of_port(system.modes(), m)};
    const double accepted = fem::accepted_power(of_port, solution.scattering.s);
    if (!(accepted > 1e-12) || !(peak.square() > least_gain * isotropic * accepted)) continue;
    peaks.push_back(peak);
    of_ports.push_back(std::move(of_port));
    const auto load = dual_load(space, surface, c.symmetry, peaks.back(), k0);
    loads.insert(loads.end(), load.begin(), load.end());
  }
  const auto duals = loads.empty() ? loads : job.solve_sources(f, loads);
  Eigen::MatrixXcd x(n, count + Eigen::Index(peaks.size()));
  x.leftCols(count) = Eigen::Map<const Eigen::MatrixXcd>(solution.x.data(), n, count);
  x.rightCols(x.cols() - count) = Eigen::Map<const Eigen::MatrixXcd>(duals.data(), n, x.cols() - count);
  const auto next_loads = [&](const fem::NedelecSpace& next) {
    std::vector<Complex> all(std::size_t(next.num_dofs()) * std::size_t(count));
    for (const auto& peak : peaks) {
      const auto load = dual_load(next, surface, c.symmetry, peak, k0);
      all.insert(all.end(), load.begin(), load.end());
    }
    return all;
  };
  auto found = fem::surplus_errors(space, system.model(), f, x, Eigen::MatrixXd::Zero(x.cols(), x.cols()),
                                   {{}, {}, next_loads});
  const auto missing = fem::missing_of_one_mesh(space, system.model(), found);
  const Eigen::MatrixXd bars = fem::bars_of_one_mesh(system, found, found.gradients, found.others);
  const Eigen::MatrixXcd& s = solution.scattering.s;
  const Complex form = fem::form_of_scattering(f);
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    const auto& at = of_ports[i];
    const double size = std::sqrt(peaks[i].square());
    // Of the complex field: its own change is not all in phase.
    const double of_square = at.weight * fem::surplus_bar(found.gradients(at.row, at.column),
                                                          found.others(at.row, at.column), missing);
    const auto of_gain = [&](const Eigen::MatrixXcd& changes) {
      return fem::change_of_gain(at, s, form, changes);
    };
    fields::PatternError error{
        .field = {0.5 * size * of_square}, .strength = {size}, .order = 0.5 * of_square};
    error.power = results::bar_of_power(s.col(at.column), bars.col(at.column).head(count) / std::abs(form));
    error.gain = std::max(fem::surplus_bar(of_gain(found.gradients), of_gain(found.others), missing),
                          least_share * of_square);
    results::add_peak_bars(f, fem::mode_label(system.ports(), system.modes()[std::size_t(at.column)]), false,
                           error, report);
  }
  return found;
}

}  // namespace curlew::programs
