// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/homogeneous_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/wavenumber.hpp"
#include "fem/ports/face_modes.hpp"
#include "fem/ports/face_space.hpp"
#include "fem/ports/port_walls.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::fem {
namespace {

/// Scales f_m to f_mᵀ B⁻¹ f_m = 1: the discrete mode then carries all of its power, and a lossless device
/// keeps |S| = 1 far below the error of the mode's shape.
void normalize_loads(const NedelecSpace& space, Port& port) {
  const auto n = port.dofs.size();
  const linalg::Csr<double> mass = port_mass(port, space);
  const auto solver = linalg::make_direct_solver<double>({});
  solver->analyse(mass);
  solver->factor(mass);
  std::vector<double> projection = port.loads;  // coefficients of the best approximations of e_m
  solver->solve(projection.data(), Index(port.modes.size()));
  for (std::size_t m = 0; m < port.modes.size(); ++m) {
    const double norm2 =
        std::inner_product(&port.loads[m * n], &port.loads[m * n] + n, &projection[m * n], 0.0);
    const bool resolved = norm2 > 0.25;
    if (!resolved && m < std::size_t(port.num_reported)) {
      throw InputError(fmt::format(
          "port \"{}\": the mesh is too coarse for mode {}: take smaller cells there, or fewer modes",
          port.region, port.modes[m].name));
    }
    // An absorbed mode that the mesh cannot resolve is left out: its load is zero.
    const double scale = resolved ? 1 / std::sqrt(norm2) : 0;
    for (std::size_t i = 0; i < n; ++i) port.loads[m * n + i] *= scale;
  }
}

}  // namespace

std::optional<double> HomogeneousPort::cutoff_frequency(std::size_t mode, const Material& medium) const {
  return modes[mode].cutoff_frequency(medium.epsilon_r.scalar, medium.mu_r.scalar);
}

void HomogeneousPort::set_closed_form(const std::vector<WaveguideMode>& found, const NedelecSpace& space) {
  modes.assign(found.begin(), found.end());
  // Modes are no polynomials: the rule is four degrees above the basis.
  loads = project_modes(
      *this, space, 2 * space.order + 4, found.size(),
      ModeField<double>([&](std::size_t m, Vec3<double> point) { return found[m].electric(point); }));
  normalize_loads(space, *this);
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
