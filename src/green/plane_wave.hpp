// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Plane waves E = a exp(-jk d.r) in a homogeneous lossless medium, for exp(+jwt).

#include <cmath>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::green {

struct FieldPair {
  Vec3<Complex> e, h;  ///< [V/m], [A/m]
};

/// a is transverse to the unit vector d, in which the wave travels.
struct PlaneWave {
  Vec3<double> direction;   ///< d, unit
  Vec3<Complex> amplitude;  ///< a [V/m]
  double k;                 ///< wavenumber [1/m]

  Vec3<Complex> electric(Vec3<double> r) const {
    const double phase = -k * dot(direction, r);
    return Complex(std::cos(phase), std::sin(phase)) * amplitude;
  }
  /// curl E = -jk d x E [V/m^2]
  Vec3<Complex> curl(Vec3<double> r) const { return Complex(0, -k) * cross(direction, electric(r)); }
};

/// A plane wave of any frequency, given by its direction of incidence: d = -r^(theta, phi).
struct ArrivingWave {
  double theta = 0, phi = 0;  ///< of arrival [rad]
  double polarization = 0;    ///< of E from theta^ towards phi^ at arrival [rad]: 0 theta, pi/2 phi
  double amplitude = 1;       ///< [V/m], peak

  /// Direction of propagation d.
  Vec3<double> direction() const {
    return {-std::sin(theta) * std::cos(phi), -std::sin(theta) * std::sin(phi), -std::cos(theta)};
  }
  Vec3<double> electric_direction() const {
    const Vec3<double> by_theta{std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi),
                                -std::sin(theta)};
    const Vec3<double> by_phi{-std::sin(phi), std::cos(phi), 0};
    return std::cos(polarization) * by_theta + std::sin(polarization) * by_phi;
  }
  PlaneWave at(double k) const { return {direction(), Complex(amplitude) * electric_direction(), k}; }
  /// E [V/m] and curl E [V/m^2] at r [m]. @param k wavenumber [1/m]
  Vec3<Complex> electric(double k, Vec3<double> r) const { return at(k).electric(r); }
  Vec3<Complex> curl(double k, Vec3<double> r) const { return at(k).curl(r); }
  FieldPair at(Vec3<double> r, double k, double impedance = vacuum_impedance) const {
    const Vec3<Complex> e = electric(k, r);
    return {e, (1 / impedance) * cross(direction(), e)};
  }
};

/// A wave of 1 V/m incident from (theta, phi).
/// @param theta, phi [rad]; polarization angle of E from the unit vector theta^ towards phi^ there [rad]
inline PlaneWave arriving_wave(double theta, double phi, double polarization, double k) {
  return ArrivingWave{theta, phi, polarization}.at(k);
}

}  // namespace curlew::green
