// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A lumped port: a planar face between two conductors, a gap with a voltage and a current.
//
// The current flows across the face as a static one does, along x0, the gradient of the potential that is 0
// and 1 on the conductors; other fields pass the face as if it were not there. V = fᵀx, f = Bx0 / x0ᵀBx0 with
// the tangential mass B; an admittance Y across the gap is jωμ0 Y ffᵀ, and an incident voltage a drives
// 2 jωμ0 Y a f, so that V = a + b in the algebra of port.hpp. x0 is discrete: gradients of all potentials
// between the conductors are orthogonal to f, so that a static field of the volume has its voltage exactly
// and currents leave no charge on the face. On a rectangle of width w f is 1/w ∫ W·d dS, on a ring or a
// sector of angle φ 1/φ ∫ W·r̂/r dS. Source: Jin (2014), section 10.4 (lumped ports).
//
// Without further elements Y = 1/R. Elements between terminals and gap, a series impedance Zs followed by an
// admittance Yp across the gap, are a two-port of chain matrix [A B; C D] = [1 Zs; 0 1] [1 0; Yp 1]; a source
// of resistance R at the terminals is equivalent at the gap to a current 2a/(B + RD) in parallel with Y = (A
// + RC)/(B + RD), and with AD - BC = 1 the wave b = (V' - R I')/2 at the terminals is R/(B + RD) V + (B -
// RD)/(B + RD) a. Source: Pozar (2012), Microwave Engineering, section 4.4 (chain matrices).

#include "fem/ports/port.hpp"
#include "material/circuit.hpp"

namespace curlew::fem {

struct LumpedOptions {
  double resistance = 50;        ///< [ohm] of the whole structure if planes of symmetry cut the port
  CurrentDirection direction{};  ///< of the voltage
  material::Circuit series{};    ///< between the terminals and the gap, in series
  material::Circuit parallel{};  ///< across the gap, in parallel
};

PortKindPtr lumped_port(const LumpedOptions& options);

/// Load at the gap by the terminals' resistance and the elements, and transmission of waves through them.
struct GapLoad {
  Complex admittance;  ///< [S]
  FeedNetwork feed;
};
/// @param resistance [ohm] > 0 at the terminals @param series [ohm] @param parallel [S]
GapLoad gap_load(double resistance, Complex series, Complex parallel);

}  // namespace curlew::fem
