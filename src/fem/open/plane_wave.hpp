// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A plane wave in vacuum, E = E0 exp(-jk k^.r). Angles say where it comes from: k^ = -r^(theta, phi).

#include <cmath>
#include <string>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::fem {

struct PlaneWave {
  double theta = 0, phi = 0;  ///< of arrival [rad]
  double angle = 0;  ///< of E from the direction of theta towards that of phi at arrival [rad]: 0 theta, pi/2
                     ///< phi
  double amplitude = 1;               ///< [V/m], peak
  std::string polarization{"theta"};  ///< how the user named it

  /// k^, of travel.
  Vec3<double> direction() const {
    return {-std::sin(theta) * std::cos(phi), -std::sin(theta) * std::sin(phi), -std::cos(theta)};
  }
  Vec3<double> electric_direction() const {
    const Vec3<double> by_theta{std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi),
                                -std::sin(theta)};
    const Vec3<double> by_phi{-std::sin(phi), std::cos(phi), 0};
    return std::cos(angle) * by_theta + std::sin(angle) * by_phi;
  }
  /// E [V/m] at x [m]. @param k wavenumber [1/m]
  Vec3<Complex> electric(double k, Vec3<double> x) const {
    const double phase = k * dot(direction(), x);
    return Complex(amplitude * std::cos(phase), -amplitude * std::sin(phase)) * electric_direction();
  }
  /// curl E = -jk k^ x E [V/m^2].
  Vec3<Complex> curl(double k, Vec3<double> x) const {
    return Complex(0, -k) * cross(direction(), electric(k, x));
  }
};

}  // namespace curlew::fem
