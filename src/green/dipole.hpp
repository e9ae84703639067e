// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The field of a short current element in a homogeneous lossless medium. Source: Balanis (2016), Antenna
// Theory, section 4.2, in vector form.

#include "green/plane_wave.hpp"

namespace curlew::green {

/// J = moment delta(r - position).
struct Dipole {
  Vec3<double> position;  ///< [m]
  Vec3<Complex> moment;   ///< I l [A m], peak

  /// With u = (r - position)/R, G = exp(-jkR)/(4 pi R):
  ///   E = -jk eta G [p (1 - j/kR - 1/(kR)^2) - u (u.p) (1 - 3j/kR - 3/(kR)^2)],  H = -(jk + 1/R) G u x p.
  /// Nothing at the dipole itself.
  FieldPair at(Vec3<double> r, double k, double impedance = vacuum_impedance) const {
    constexpr Complex j{0, 1};
    const Vec3<double> d = r - position;
    const double R = norm(d), kr = k * R;
    if (R == 0) return {};
    const Vec3<double> u = (1 / R) * d;
    const Complex g = Complex(std::cos(kr), -std::sin(kr)) / (4 * pi * R);
    const Complex a = 1.0 - j / kr - 1 / (kr * kr), b = 1.0 - 3.0 * j / kr - 3 / (kr * kr);
    return {(-j * k * impedance * g) * (a * moment - (b * dot(u, moment)) * u),
            (-(j * k + 1 / R) * g) * cross(u, moment)};
  }
};

}  // namespace curlew::green
