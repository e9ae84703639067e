// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error indicator on surfaces: jumps of the currents across edges.
//
// RWG functions make the current across an edge continuous, not the one along it and not the charge. On
// elements of size h an error e of the currents contributes h (k |e|² + |div e|²/k) to the form of the EFIE;
// e is estimated by half the jumps (those of the current are weighted for its unobserved part). For
// quantities whose dual problem is the solution itself (impedances and, by reciprocity, monostatic
// cross-sections) the error is a sum of such squares. Sources: Carstensen, Maischak, Praetorius, Stephan
// (2004), Numerische Mathematik 97(3) (local norms of h^(1/2) for hypersingular equations); Becker and
// Rannacher (2001), Acta Numerica 10 (dual weights).

#include <span>
#include <vector>

#include "base/types.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

/// Squares for J and, if present, M/eta0, with the greater wavenumber of both sides.
/// @param x [unknowns] a solution [A/m]
/// @returns [triangles of the system's mesh] A² m, scaled as x^T b
std::vector<double> current_jumps(const System& system, const Complex* x);
/// The same for sheets in one medium, with the size of the error and not only its distribution: errors change
/// sign from triangle to triangle, so that their potential is h/2π times them; at a rim the jump is to zero.
/// @param impedance [triangles] Zs [ohm], which contributes |Zs|/eta |e|² @param k wavenumber around them
/// [1/m]
/// @returns [triangles] A² m
std::vector<double> sheet_error(const SurfaceMesh& mesh, const RwgSpace& space,
                                std::span<const Complex> impedance, double k, const Complex* x);

/// What port currents lack at the rims of sheets in one medium, where the current along a rim and the charge
/// grow as the inverse root of the distance: triangles as wide as a strip make them uniform, and halving all
/// triangles of such a strip changes nothing. A cell of width h at a rim with J and charge ρ lacks
/// rim_energy h² (jωμ J² + ρ²/(jωε)) a length (strips of 2 to 16 equal cells against the exact
/// ln(4/width)/2π: 0.43 to 0.52 over 4π), a quarter of it where its other side is a rim too.
/// @param volts [ports, unknowns] currents for 1 V at each port, the others shorted [A/m]
/// @returns [ports, ports] change of Y [S], up to its sign
std::vector<Complex> admittance_at_rims(const System& system, const Complex* volts, std::size_t ports);

}  // namespace curlew::ie
