// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A lumped port: a planar face between two conductors, a gap with a uniform field in one direction.
//
// With length l along the direction and width w, the voltage of a rectangle is the mean over the width, V =
// fᵀx, f = 1/w ∫ W·d dS. An admittance Y across it adds jωμ0 Y f fᵀ, and an incident voltage a drives 2 jωμ0
// Y a f, so that V = a + b in the algebra of port.hpp. A ring or a sector of angle φ between radii a and b is
// the same with d = r̂, l = ln(b/a), w = φ and f = 1/φ ∫ W·r̂/r dS: its field is E_r = V / (r ln(b/a)).
// Charges at the rims of the gap would make other fields along d, which a reactance, c_ref real and large,
// keeps small: c_ref (B - f fᵀ), B = (l/w) ∫ (W·d)(E·d) dS, with f scaled to fᵀB⁻¹f = 1. A sheet of
// resistance, Y for c_ref, as in palace (docs/src/guide/boundaries.md), absorbs in them power that V does not
// contain. Source: Jin (2014), section 10.4 (lumped ports).
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
