// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The answer of a dielectric sphere to a radial dipole.

#include <cmath>
#include <complex>

#include "base/constants.hpp"
#include "base/types.hpp"

namespace curlew::test {

/// A radial dipole over a dielectric sphere. With the radial part of the dyadic Green function,
///   E_r = -(k^2 eta p / 4 pi) sum n (n + 1) (2n + 1) [j_n(kr<)/kr<] [h_n(kr>)/kr>] P_n(cos),
/// the sphere answers j_n(kr) with -a_n h_n(kr), a_n the electric Mie coefficient. Sources: Tai (1994),
/// Dyadic Green Functions in Electromagnetic Theory, 2nd ed., section 10.2; Bohren and Huffman (1983),
/// (4.88).
class RadialDipole {
 public:
  /// Of 1 A m at a height over the centre of a sphere of radius 1, in vacuum.
  RadialDipole(double k, double height, double epsilon_r)
      : k_(k), height_(height), m_(std::sqrt(epsilon_r)) {}
  /// E_r that the sphere adds, at distance r from its centre, at an angle with the dipole of this cosine.
  Complex scattered(double r, double cosine) const {
    const double x = k_;
    Complex sum = 0;
    double before = 1, p = cosine;
    for (int n = 1; n <= 16; ++n) {
      const Complex jx = std::sph_bessel(unsigned(n), x), jm = std::sph_bessel(unsigned(n), m_ * x);
      const Complex djx = derivative(n, x, false), djm = derivative(n, m_ * x, false);
      const Complex hx = hankel(n, x), dhx = derivative(n, x, true);
      // [z j(z)]' = derivative(), of the argument.
      const Complex a = (m_ * m_ * jm * djx - jx * djm) / (m_ * m_ * jm * dhx - hx * djm);
      sum -= double(n) * (n + 1) * (2 * n + 1) * a * hankel(n, k_ * r) / (k_ * r) * hankel(n, k_ * height_) /
             (k_ * height_) * p;
      const double next = ((2 * n + 1) * cosine * p - n * before) / (n + 1);
      before = p, p = next;
    }
    return -k_ * k_ * vacuum_impedance / (4 * pi) * sum;
  }

 private:
  static Complex hankel(int n, double z) {
    return {std::sph_bessel(unsigned(n), z), -std::sph_neumann(unsigned(n), z)};
  }
  /// d(z f_n(z))/dz = z f_(n-1) - n f_n.
  static Complex derivative(int n, double z, bool outgoing) {
    if (outgoing) return z * hankel(n - 1, z) - double(n) * hankel(n, z);
    return z * std::sph_bessel(unsigned(n - 1), z) - n * std::sph_bessel(unsigned(n), z);
  }
  double k_, height_, m_;
};

}  // namespace curlew::test
