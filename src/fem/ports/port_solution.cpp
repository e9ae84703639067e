// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/port_solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/ports/face_modes.hpp"

namespace curlew::fem {
namespace {

bool propagates(Complex gamma) {
  return std::abs(gamma.imag()) > std::abs(gamma.real());
}

/// What a mode of power Y/2 has at unit amplitude; 0 where there is none.
struct LineQuantities {
  Complex voltage, current;
};

/// Power-current 2P/I², power-voltage V²/2P or wave impedance 1/Y; 0 where there is no such voltage or
/// current.
void set_impedance(ModeState& state, ImpedanceDefinition definition, Complex y, LineQuantities line) {
  if (definition == ImpedanceDefinition::automatic)
    definition = line.current != 0.0 ? ImpedanceDefinition::power_current : ImpedanceDefinition::wave;
  state.definition = definition;
  if (definition == ImpedanceDefinition::wave)
    state.impedance = 1.0 / y;
  else if (definition == ImpedanceDefinition::power_voltage)
    state.impedance = line.voltage * line.voltage / y;
  else
    state.impedance = line.current != 0.0 ? y / (line.current * line.current) : 0;
}

/// The voltage of mode m along the user's line, if there is one. @param shapes [modes, dofs] ∫ W·e dS
template <class T>
Complex voltage_of(const ModalPort& port, const std::vector<T>& shapes, std::size_t m, Complex otherwise) {
  if (port.voltage.empty()) return otherwise;
  return std::inner_product(port.voltage.begin(), port.voltage.end(), &shapes[m * port.dofs.size()],
                            Complex(0));
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
    state.propagates = propagates(state.gamma);
    const Complex y = to_siemens * state.admittance;
    const Complex voltage = voltage_of(port, port.loads, solution.modes.size(), mode.voltage);
    set_impedance(state, port.impedance, y, {voltage, mode.flux * y});
    solution.modes.push_back(state);
  }
  for (ModeState& state : solution.modes) state.reference = wave_reference(reference, solution.modes, mu);
  return solution;
}

std::vector<FaceWall> walls_at(const ModalPort& port, const Model& model, double frequency) {
  std::vector<FaceWall> walls;
  for (const PortWall& wall : port.walls) {
    const FaceAdmittance y = face_admittance(model, wall.part, frequency);
    walls.push_back({wall.edges, y.self, wall.pairs, y.transfer});
  }
  return walls;
}

PortSolution solve_hybrid(const ModalPort& port, const Model& model, const NedelecSpace& space,
                          double frequency, PortReference reference) {
  const CellMaterials materials = materials_at(model, *space.mesh, frequency);
  const FaceMedium medium = [&](std::size_t t) {
    const Index face = space.topology->triangle_face[std::size_t(port.triangles[t])];
    return materials.of(space.topology->face_cells[std::size_t(face)][0]);
  };
  const double omega = 2 * pi * frequency;
  const Complex to_siemens = 1.0 / Complex(0, omega * vacuum_permeability);
  HybridModes modes = hybrid_modes(*port.face, medium, walls_at(port, model, frequency),
                                   omega / speed_of_light, port.num_modes());
  if (int(modes.gammas.size()) < port.num_modes())
    throw InputError(
        fmt::format("port \"{}\": the mesh is too coarse for {} modes", port.region, port.num_modes()));
  PortSolution solution;
  for (std::size_t m = 0; m < modes.gammas.size(); ++m) {
    ModeState state{};
    state.gamma = modes.gammas[m];
    state.admittance = modes.admittances[m];
    state.propagates = propagates(state.gamma);
    const Complex voltage = voltage_of(port, modes.shapes, m, modes.voltages[m]);
    set_impedance(state, port.impedance, to_siemens * state.admittance,
                  {voltage, to_siemens * modes.currents[m]});
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
  state.impedance = port.lumped->resistance;
  PortSolution solution;
  solution.modes.push_back(state);
  return solution;
}

}  // namespace

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
  add_directional_mass(space, port.triangles, port.lumped->direction,
                       reference * port.lumped->length / port.lumped->width, a);
}

}  // namespace curlew::fem
