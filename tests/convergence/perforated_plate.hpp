// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reflection and transmission of a perfectly conducting plate of finite thickness with rectangular holes on a
// rectangular lattice, by matching Floquet modes outside to guide modes in the holes: the reference of
// periodic cells. Shares no code with src/.
// Source: Chen (1973), Transmission of microwave through perforated flat plates of finite thickness, IEEE
// Trans. MTT 21(1). The plate is cut in its middle by a magnetic and by an electric wall.

#include <complex>

namespace curlew::test {

struct PerforatedPlate {
  double period_x, period_y;  ///< [m]
  double hole_x, hole_y;      ///< [m]
  double thickness;           ///< [m]
};

/// Coefficients of transverse E, TE(0,0) and TM(0,0) by index 0 and 1; phases at the faces of the plate, at
/// the lattice point under the middle of a hole. out(i, j): mode i out, mode j in.
struct PlateScattering {
  std::complex<double> reflected[2][2], transmitted[2][2];
};

/// @param theta, phi where the wave comes from [rad] @param k [rad/m]
/// @param orders Floquet orders -orders..orders each way; hole modes up to the same spatial frequency
PlateScattering match_plate(const PerforatedPlate& plate, double k, double theta, double phi, int orders);

}  // namespace curlew::test
