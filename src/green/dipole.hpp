// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The field of a short current element in a homogeneous medium, lossy ones too. Source: Balanis (2016),
// Antenna Theory, sections 4.2 and 12.3, in vector form.

#include "green/plane_wave.hpp"

namespace curlew::green {

/// J = moment delta(r - position).
struct Dipole {
  Vec3<double> position;  ///< [m]
  Vec3<Complex> moment;   ///< I l [A m], peak

  /// With u = (r - position)/R, G = exp(-jkR)/(4 pi R):
  ///   E = -jk eta G [p (1 - j/kR - 1/(kR)^2) - u (u.p) (1 - 3j/kR - 3/(kR)^2)],  H = -(jk + 1/R) G u x p.
  /// Zero at the dipole.
  /// @param k [1/m], Im k <= 0 @param impedance of the medium [ohm]
  FieldPair at(Vec3<double> r, Complex k, Complex impedance = vacuum_impedance) const {
    constexpr Complex j{0, 1};
    const Vec3<double> d = r - position;
    const double R = norm(d);
    if (R == 0) return {};
    const Complex kr = k * R;
    const Vec3<double> u = (1 / R) * d;
    const Complex g = std::exp(-j * kr) / (4 * pi * R);
    const Complex a = 1.0 - j / kr - 1.0 / (kr * kr), b = 1.0 - 3.0 * j / kr - 3.0 / (kr * kr);
    return {(-j * k * impedance * g) * (a * moment - (b * dot(u, moment)) * u),
            (-(j * k + 1 / R) * g) * cross(u, moment)};
  }
  /// E R exp(jkR) for R -> infinity in the unit direction u, R from the origin [V].
  Vec3<Complex> far_field(Vec3<double> u, double k, double impedance = vacuum_impedance) const {
    const double phase = k * dot(u, position);
    const Complex front = Complex(0, -k * impedance / (4 * pi)) * Complex(std::cos(phase), std::sin(phase));
    return front * (moment - dot(u, moment) * u);
  }
  /// Radiated power of a single dipole in a lossless medium [W]: eta k^2 |p|^2/(12 pi).
  double power(double k, double impedance = vacuum_impedance) const {
    const double squared = std::norm(moment.x) + std::norm(moment.y) + std::norm(moment.z);
    return impedance * k * k * squared / (12 * pi);
  }
};

}  // namespace curlew::green
