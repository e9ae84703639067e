// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sources: plane waves, dipoles, voltages across edges.

#include <string>
#include <vector>

#include "green/dipole.hpp"
#include "green/plane_wave.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

using green::Dipole;
using green::FieldPair;
using PlaneWave = green::ArrivingWave;  // of 1 V/m here

/// A voltage source in series with an impedance, E = V along the current. Either a delta gap across the edges
/// between two named surfaces (whose capacitance grows logarithmically with mesh refinement), or a uniform
/// field over a surface: V divided by its length along a direction.
struct Port {
  std::string name = {}, from = {}, to = {};  ///< names of surfaces of a gap
  Complex series_impedance = 0;               ///< [ohm], a lumped load; 0: none
  std::string region = {};                    ///< surface of a distributed source, empty: a gap
  Vec3<double> direction = {0, 0, 1};         ///< of its current, unit
  /// [ohm] of the distributed source, as a sheet on its surface, not part of the network. With a sheet the
  /// current is nearly uniform over the port, as for lumped ports of finite elements, and the impedance
  /// depends on it slightly. 0: uniform field.
  double sheet_resistance = 0;
};

/// Current through a port: sum of weights times unknowns. A source of 1 V excites with the same weights.
struct PortWeights {
  std::vector<Index> functions;
  std::vector<double> weights;  ///< [m], signed
  double sheet_resistance = 0;  ///< [ohm] of Port
  std::vector<Entry> sheet{};   ///< its entries of the matrix, over eta0
};
/// @throws InputError if the surfaces share no edge, a region has no extent along the direction, or the
/// equation there is not the EFIE
PortWeights find_port(const System& system, const Port& port);

/// The series impedances and sheets as entries of the matrix: value * x_column in row.
std::vector<Entry> port_loads(const System& system, const std::vector<Port>& ports);

/// Right-hand sides, [unknowns] each.
std::vector<Complex> right_hand_side(const System& system, const PlaneWave& wave);
/// For 1 V.
std::vector<Complex> right_hand_side(const System& system, const PortWeights& port);

/// Test functions of a field: those of the equations; or <f, E>, whose product with a solution is the
/// reaction of its currents on the field's sources (divided by eta0); or <f, H>.
enum class Testing { equations, reaction, magnetic };

/// The field of a dipole in a region, tested on the surfaces around that region.
/// @param region of the scene, with the dipole inside it: see locate
std::vector<Complex> test_dipole(const System& system, const Dipole& dipole, int region, Testing testing);
/// Current [A] through a port for a solution. @param x [unknowns]
Complex port_current(const PortWeights& port, const Complex* x);

}  // namespace curlew::ie
