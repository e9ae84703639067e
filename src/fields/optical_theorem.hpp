// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The extinction cross-section of a plane wave from the forward scattering amplitude.

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fields/far_field.hpp"
#include "green/plane_wave.hpp"

namespace curlew::fields {

/// Direction of a wave that travels along a unit vector.
inline Direction forward(Vec3<double> travel) {
  return {std::acos(std::clamp(travel.z, -1.0, 1.0)), std::atan2(travel.y, travel.x)};
}

/// [m^2] by the forward amplitude along the incident field; sigma = -(4 pi/k) Im for exp(+jwt), Bohren and
/// Huffman (1983), 3.24.
/// @param f scattered field of the wave, in its forward direction
inline double extinction(const FarField& f, const green::PlaneWave& wave) {
  const Direction d = forward(wave.direction);
  const Vec3<Complex> e = f.e_theta[0] * d.theta_unit() + f.e_phi[0] * d.phi_unit();
  Complex along = 0;
  double intensity = 0;
  for (int i = 0; i < 3; ++i) {
    along += e[i] * std::conj(wave.amplitude[i]);
    intensity += std::norm(wave.amplitude[i]);
  }
  return -4 * pi / wave.k * along.imag() / intensity;
}

}  // namespace curlew::fields
