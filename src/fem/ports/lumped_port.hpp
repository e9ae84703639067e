// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A lumped port: a planar face between two conductors, a uniform sheet with current in one direction.
//
// With length l along the direction, width w and admittance Y, a rectangle has Y l/w siemens per square:
// jωμ0 Y (l/w) ∫ (W·d)(E·d) dS; its voltage is the mean over the width, V = fᵀx, f = 1/w ∫ W·d dS, and an
// incident voltage a drives 2 jωμ0 Y a f, so that V = a + b in the algebra of port.hpp. A ring or a sector of
// angle φ between radii a and b is the same with d = r̂, l = ln(b/a), w = φ and f = 1/φ ∫ W·r̂/r dS: the field
// of its sheet is E_r = V / (r ln(b/a)).
// Source: Jin (2014), section 10.4 (lumped ports); the sheet as in palace, docs/src/guide/boundaries.md.
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
