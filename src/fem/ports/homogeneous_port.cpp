// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/homogeneous_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/wavenumber.hpp"
#include "fem/ports/face_modes.hpp"
#include "fem/ports/face_space.hpp"
#include "fem/ports/port_walls.hpp"

namespace curlew::fem {

std::optional<double> HomogeneousPort::cutoff_frequency(std::size_t mode, const Material& medium) const {
  return modes[mode].cutoff_frequency(medium.epsilon_r.scalar, medium.mu_r.scalar);
}

void HomogeneousPort::set_closed_form(const std::vector<WaveguideMode>& found, const NedelecSpace& space) {
  modes.assign(found.begin(), found.end());
  // Modes are no polynomials: the rule is four degrees above the basis.
  loads = project_modes(
      *this, space, 2 * space.order + 4, found.size(),
      ModeField<double>([&](std::size_t m, Vec3<double> point) { return found[m].electric(point); }));
  normalize_loads(port_mass(*this, space), *this);
}

void HomogeneousPort::set_numeric(const WaveguideOptions& options, const NedelecSpace& space) {
  if (is_divided(*this, space))
    throw InputError(
        fmt::format("port \"{}\": magnetic walls inside of the mesh divide its face: give every part a "
                    "[[port]] of its own",
                    region));
  auto found = homogeneous_modes(make_face_space(space, triangles), options.modes + options.absorbed_modes,
                                 options.polarization);
  if (int(found.modes.size()) < options.modes)
    throw InputError(fmt::format(
        "port \"{}\": the mesh is too coarse for {} modes: take smaller cells there, or fewer modes", region,
        options.modes));
  modes = std::move(found.modes);
  loads = std::move(found.loads);
}

PortSolution HomogeneousPort::solve_modes(const PortContext& context, double frequency) const {
  const Material medium = materials_at(context.model, *context.space.mesh, frequency).of(cell);
  const Complex eps = medium.epsilon_r.scalar, mu = medium.mu_r.scalar;
  const double k0 = wavenumber(frequency);
  const Complex to_siemens = 1.0 / Complex(0, 2 * pi * frequency * vacuum_permeability);
  PortSolution solution;
  for (const PortMode& mode : modes) {
    ModeState state{};
    state.gamma = mode.gamma(k0, eps, mu);
    state.admittance = mode.admittance(k0, eps, mu);
    const Complex y = to_siemens * state.admittance;
    state.power_phase = std::conj(y) / std::abs(y);  // e is real
    set_impedance(y, {voltage_of(loads, solution.modes.size(), mode.voltage), mode.flux * y}, state);
    solution.modes.push_back(state);
  }
  return solution;
}

}  // namespace curlew::fem
