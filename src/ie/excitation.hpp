// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where the fields come from: plane waves, dipoles, voltages across edges.

#include <string>
#include <vector>

#include "green/dipole.hpp"
#include "green/plane_wave.hpp"
#include "ie/system.hpp"

namespace curlew::ie {

using green::Dipole;
using green::FieldPair;
using PlaneWave = green::ArrivingWave;  // of 1 V/m here

/// A voltage source across the edges between two named surfaces that share edges (a delta gap), in series
/// with an impedance: E_gap = V along the current from the first to the second surface.
struct Port {
  std::string name, from, to;    ///< names of surfaces
  Complex series_impedance = 0;  ///< [ohm], a lumped load; 0: none
};

/// Functions across a port with the sign of the current from `from` to `to`.
struct PortEdges {
  std::vector<Index> functions;
  std::vector<double> signs_times_length;  ///< [m]
};
/// @throws InputError if the surfaces share no edge, or the equation there is not the EFIE
PortEdges find_port(const System& system, const Port& port);

/// Adds the series impedances to entries: value * x_column in row, for dense and sparse parts alike.
void add_loads(const System& system, const std::vector<Port>& ports, std::vector<Entry>& out);

/// Right-hand sides, [unknowns] each.
std::vector<Complex> right_hand_side(const System& system, const PlaneWave& wave);
std::vector<Complex> right_hand_side(const System& system, const Dipole& dipole);
/// For 1 V.
std::vector<Complex> right_hand_side(const System& system, const PortEdges& port);

/// Current [A] through a port for a solution. @param x [unknowns]
Complex port_current(const PortEdges& port, const Complex* x);

}  // namespace curlew::ie
