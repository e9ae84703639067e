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

/// A voltage source in series with an impedance, E = V along the current. Either across the edges between two
/// named surfaces that share edges (a gap of no width, whose capacitance grows with the logarithm of the
/// mesh), or spread evenly over a surface from end to end: V over its length along a direction.
struct Port {
  std::string name = {}, from = {}, to = {};  ///< names of surfaces of a gap
  Complex series_impedance = 0;               ///< [ohm], a lumped load; 0: none
  std::string region = {};                    ///< surface of a spread source, empty: a gap
  Vec3<double> direction = {0, 0, 1};         ///< of its current, unit
  /// [ohm] of the spread source itself, as a sheet on its surface; what the network says is without it. The
  /// sheet levels the current over the port instead of its field: the lumped port of finite elements, whose
  /// impedance depends on it a little. 0: the same field all over the port.
  double sheet_resistance = 0;
};

/// Current through a port: sum of weights times unknowns. A volt there excites with the same weights.
struct PortWeights {
  std::vector<Index> functions;
  std::vector<double> weights;  ///< [m], signed
  double sheet_resistance = 0;  ///< [ohm] of Port
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

/// With which functions a field is tested: those of the equations, or a <f, E> with a = 1 everywhere, whose
/// product with a solution is the reaction of its currents on the field's sources (over eta0), or <f, H>.
enum class Testing { equations, reaction, magnetic };

/// The field of a dipole in a region, tested on the surfaces around that region.
/// @param region of the scene, with the dipole inside it: see locate
std::vector<Complex> test_dipole(const System& system, const Dipole& dipole, int region, Testing testing);
/// Current [A] through a port for a solution. @param x [unknowns]
Complex port_current(const PortWeights& port, const Complex* x);

}  // namespace curlew::ie
