// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/port_solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/ports/face_modes.hpp"

namespace curlew::fem {
namespace {

/// What a mode of power Y/2 has at unit amplitude; 0 where there is none.
struct LineQuantities {
  Complex voltage, current;
};

/// Power-current 2P/I², power-voltage V²/2P or wave impedance 1/Y of the whole structure, of which the port
/// may be a part; 0 where there is no such voltage or current. Its phase is that of the power, so that V I*/2
/// is it (Marks and Williams 1992, J. Res. NIST 97(5), a general waveguide circuit theory, section 3.3).
void set_impedance(const ModalPort& port, Complex y, LineQuantities line, ModeState& state) {
  ImpedanceDefinition definition = port.impedance;
  if (definition == ImpedanceDefinition::automatic)
    definition = line.current != 0.0 ? ImpedanceDefinition::power_current : ImpedanceDefinition::wave;
  state.definition = definition;
  state.propagates = carries_power(state.power_phase);
  double size = 0;
  if (definition == ImpedanceDefinition::wave)
    size = 1 / std::abs(y);
  else if (definition == ImpedanceDefinition::power_voltage && !port.voltage.empty())
    size = std::norm(port.voltage_factor * line.voltage) / (std::abs(y) * port.whole.copies);
  else if (definition == ImpedanceDefinition::power_voltage)
    size = std::norm(line.voltage) / std::abs(y) * port.whole.impedance;
  else if (line.current != 0.0)
    size = std::abs(y) / std::norm(line.current) * port.whole.impedance;
  state.impedance = size * state.power_phase;
}

/// The voltage of mode m along the user's line, if there is one. @param shapes [modes, dofs] ∫ W·e dS
template <class T>
Complex voltage_of(const ModalPort& port, const std::vector<T>& shapes, std::size_t m, Complex otherwise) {
  if (port.voltage.empty()) return otherwise;
  return std::inner_product(port.voltage.begin(), port.voltage.end(), &shapes[m * port.dofs.size()],
                            Complex(0));
}

/// c_ref of a hollow guide.
Complex hollow_reference(PortReference kind, const ModeState& first) {
  return kind == PortReference::first_mode ? first.admittance : 0.03 * first.admittance;
}

PortSolution solve_homogeneous(const ModalPort& port, const Material& medium, double frequency,
                               PortReference reference) {
  const Complex eps = medium.epsilon_r.scalar, mu = medium.mu_r.scalar;
  const double k0 = 2 * pi * frequency / speed_of_light;
  const Complex to_siemens = 1.0 / Complex(0, 2 * pi * frequency * vacuum_permeability);
  PortSolution solution;
  for (const PortMode& mode : port.modes) {
    ModeState state{};
    state.gamma = mode.gamma(k0, eps, mu);
    state.admittance = mode.admittance(k0, eps, mu);
    const Complex y = to_siemens * state.admittance;
    state.power_phase = std::conj(y) / std::abs(y);  // e is real
    const Complex voltage = voltage_of(port, port.loads, solution.modes.size(), mode.voltage);
    set_impedance(port, y, {voltage, mode.flux * y}, state);
    solution.modes.push_back(state);
  }
  const bool is_hollow = port.modes.front().family != ModeFamily::tem;
  for (ModeState& state : solution.modes)
    state.reference = is_hollow ? hollow_reference(reference, solution.modes.front())
                                : wave_reference(reference, solution.modes, mu);
  return solution;
}

std::vector<FaceWall> walls_at(const ModalPort& port, double frequency) {
  std::vector<FaceWall> walls;
  for (const PortWall& wall : port.walls) {
    const FaceAdmittance y = wall.part.admittance(frequency);
    walls.push_back({wall.edges, y.self, wall.pairs, y.transfer});
  }
  return walls;
}

/// Modes at a frequency, numbered as at the frequencies before. If the nearest of them is too far to tell
/// which mode is which, the way there is halved.
HybridModes followed_modes(const ModalPort& port, const Model& model, const NedelecSpace& space,
                           double frequency, int halvings = 5) {
  const CellMaterials materials = materials_at(model, *space.mesh, frequency);
  const FaceMedium medium = [&](std::size_t t) {
    const Index face = space.topology->triangle_face[std::size_t(port.triangles[t])];
    return materials.of(space.topology->face_cells[std::size_t(face)][0]);
  };
  ModeHistory& history = *port.history;
  double at = 0;
  HybridRequest request{port.num_modes(), port.num_reported, &history.functionals(),
                        history.nearest(frequency, &at)};
  const auto walls = walls_at(port, frequency);
  const double k0 = 2 * pi * frequency / speed_of_light;
  HybridModes modes = hybrid_modes(*port.face, medium, walls, k0, request);
  if (modes.continuity < 0.7 && halvings > 0) {
    followed_modes(port, model, space, 0.5 * (at + frequency), halvings - 1);
    request.earlier = history.nearest(frequency, &at);
    modes = hybrid_modes(*port.face, medium, walls, k0, request);
  }
  if (modes.continuity < 0.5)
    log::warn(
        "port \"{}\": a mode at {:.6g} GHz has little in common with any at {:.6g} GHz: its number may be "
        "another's; give frequencies in between",
        port.region, 1e-9 * frequency, 1e-9 * at);
  history.add(frequency, modes.entry);
  return modes;
}

PortSolution solve_hybrid(const ModalPort& port, const Model& model, const NedelecSpace& space,
                          double frequency, PortReference reference) {
  const Complex to_siemens = 1.0 / Complex(0, 2 * pi * frequency * vacuum_permeability);
  HybridModes modes = followed_modes(port, model, space, frequency);
  if (int(modes.gammas.size()) < port.num_modes())
    throw InputError(
        fmt::format("port \"{}\": the mesh is too coarse for {} modes", port.region, port.num_modes()));
  PortSolution solution;
  for (std::size_t m = 0; m < modes.gammas.size(); ++m) {
    ModeState state{};
    state.gamma = modes.gammas[m];
    state.admittance = modes.admittances[m];
    const Complex power = std::conj(to_siemens * modes.powers[m]);
    state.power_phase = power / std::abs(power);
    const Complex voltage = voltage_of(port, modes.shapes, m, modes.voltages[m]);
    set_impedance(port, to_siemens * state.admittance, {voltage, to_siemens * modes.currents[m]}, state);
    solution.modes.push_back(state);
  }
  for (ModeState& state : solution.modes) state.reference = wave_reference(reference, solution.modes, 1.0);
  solution.loads = std::move(modes.loads);
  solution.shapes = std::move(modes.shapes);
  solution.gram = std::move(modes.gram);
  return solution;
}

PortSolution solve_lumped(const ModalPort& port, double frequency) {
  ModeState state{};
  state.admittance = Complex(0, 2 * pi * frequency * vacuum_permeability) / port.lumped->resistance;
  state.reference = state.admittance;
  state.propagates = true;
  state.impedance = port.lumped->resistance * port.whole.impedance;
  PortSolution solution;
  solution.modes.push_back(state);
  return solution;
}

}  // namespace

bool carries_power(Complex value) {
  return value.real() > 0.5 * std::abs(value);
}

Complex wave_reference(PortReference kind, const std::vector<ModeState>& modes, Complex mu) {
  const Complex first = modes.front().admittance;
  if (kind == PortReference::first_mode) return first;
  return modes.back().gamma.real() / mu + 0.1 * first;
}

PortSolution solve_port(const ModalPort& port, const Model& model, const NedelecSpace& space,
                        double frequency, PortReference reference) {
  if (port.lumped) return solve_lumped(port, frequency);
  PortSolution solution =
      port.is_dispersive()
          ? solve_hybrid(port, model, space, frequency, reference)
          : solve_homogeneous(port, materials_at(model, *space.mesh, frequency).of(port.cell), frequency,
                              reference);
  for (ModeState& state : solution.modes) state.shift = state.gamma * port.deembed;
  return solution;
}

void add_port_reference(const ModalPort& port, const NedelecSpace& space, Complex reference,
                        linalg::Csr<Complex>& a) {
  if (!port.lumped) return add_tangential_mass(space, port.triangles, reference, a);
  add_lumped_sheet(*port.lumped, space, port.triangles, reference, a);
}

}  // namespace curlew::fem
