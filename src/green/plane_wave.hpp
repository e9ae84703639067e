// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Plane waves E = a exp(-jk d.r) in a homogeneous medium, for exp(+jwt).

#include <cmath>
#include <complex>

#include "base/vec3.hpp"

namespace curlew::green {

/// a is transverse to the unit vector d, in which the wave travels.
struct PlaneWave {
  Vec3<double> direction;                ///< d, unit
  Vec3<std::complex<double>> amplitude;  ///< a [V/m]
  double k;                              ///< wavenumber [1/m]

  Vec3<std::complex<double>> electric(Vec3<double> r) const {
    const double phase = -k * dot(direction, r);
    return std::complex<double>(std::cos(phase), std::sin(phase)) * amplitude;
  }
  /// curl E = -jk d x E [V/m^2]
  Vec3<std::complex<double>> curl(Vec3<double> r) const {
    return std::complex<double>(0, -k) * cross(direction, electric(r));
  }
};

/// A wave of 1 V/m that arrives from (theta, phi) and travels the other way.
/// @param theta, phi [rad]; polarization angle of E from the unit vector theta^ towards phi^ there [rad]
inline PlaneWave arriving_wave(double theta, double phi, double polarization, double k) {
  const Vec3<double> r{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
  const Vec3<double> t{std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), -std::sin(theta)};
  const Vec3<double> p{-std::sin(phi), std::cos(phi), 0};
  const Vec3<double> e = std::cos(polarization) * t + std::sin(polarization) * p;
  return {-r, {e.x, e.y, e.z}, k};
}

}  // namespace curlew::green
