// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The 2D Helmholtz operators S, D, D' and N as one kernel: G = H0(2)(kR)/(4j) for exp(+jwt), D its derivative
// along the source's normal n', D' along the observer's n, N along both. A linear combination of the four
// needs H0 and H1 once, so that the matrix of any boundary integral equation is filled by one loop. Source:
// Colton and Kress (2013), Inverse Acoustic and Electromagnetic Scattering Theory, section 3.1.

#include "base/complex.hpp"
#include "base/macros.hpp"
#include "base/types.hpp"
#include "green/hankel.hpp"

namespace curlew::green {

/// s S + d D + dp D' + n N of wave number k, with the constants of the formulas multiplied in.
struct Kernel2d {
  complex<double> k;               ///< [1/m], Im k <= 0
  complex<double> hypersingular;   ///< the n above
  complex<double> a0, a1;          ///< factors of H0
  complex<double> b0, b1, b2;      ///< factors of H1/R
  bool single_layer_only = false;  ///< d = dp = n = 0: H1 is not needed
};

inline Kernel2d make_kernel2d(Complex k, Complex s, Complex d, Complex dp, Complex n) {
  const Complex c(0, -0.25);
  Kernel2d kernel;
  kernel.k = k;
  kernel.hypersingular = n;
  kernel.a0 = c * s;
  kernel.a1 = c * n * k * k;
  kernel.b0 = -c * k * dp;
  kernel.b1 = c * k * d;
  kernel.b2 = c * k * n;
  kernel.single_layer_only = d == 0.0 && dp == 0.0 && n == 0.0;
  return kernel;
}

namespace detail {
/// Multiplies complex constants with real (vectors of) numbers and sums.
template <class V>
CURLEW_HD Parts<V> combine(complex<double> a, V x, complex<double> b, V y, complex<double> c, V z) {
  return {a.re * x + b.re * y + c.re * z, a.im * x + b.im * y + c.im * z};
}
template <class V>
CURLEW_HD Parts<V> product(Parts<V> a, Parts<V> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
}  // namespace detail

/// H0 and H1 of k R; REAL: Im k = 0.
template <bool REAL, class V>
CURLEW_HD HankelPair<V> hankel_of(complex<double> k, V R) {
  if constexpr (REAL) {
    return hankel2(V(k.re * R));
  } else if constexpr (sizeof(V) == sizeof(double)) {
    return hankel2(complex<double>(k.re * R, k.im * R));
  } else {
    return hankel2(Parts<V>{k.re * R, k.im * R});
  }
}

/// The kernel from (x', y') with normal n' to (x' + rx, y' + ry) with normal n, unit normals, r != 0.
template <bool REAL, class V>
CURLEW_HD Parts<V> evaluate(const Kernel2d& kernel, V rx, V ry, V nx, V ny, V sx, V sy) {
  const V square = rx * rx + ry * ry;
  const V inverse = inverse_sqrt(square);
  const auto h = hankel_of<REAL>(kernel.k, V(square * inverse));
  const V nr = (nx * rx + ny * ry) * inverse, sr = (sx * rx + sy * ry) * inverse;
  const V both = nr * sr;
  const V one = both * 0.0 + 1.0;
  const auto a = detail::combine(kernel.a0, one, kernel.a1, both, {}, one);
  const auto b =
      detail::combine(kernel.b0, nr, kernel.b1, sr, kernel.b2, V((nx * sx + ny * sy - 2.0 * both) * inverse));
  const auto p = detail::product(h.h0, a), q = detail::product(h.h1, b);
  return {p.re + q.re, p.im + q.im};
}

/// The same for a single-layer kernel with real k.
template <class V>
CURLEW_HD Parts<V> evaluate_single_layer(const Kernel2d& kernel, V rx, V ry) {
  const V square = rx * rx + ry * ry;
  const auto h = hankel2_0(V(kernel.k.re * (square * inverse_sqrt(square))));
  return {kernel.a0.re * h.re - kernel.a0.im * h.im, kernel.a0.re * h.im + kernel.a0.im * h.re};
}

/// exp(-jk d.r) of a plane wave that comes from the angle phi: d = -(cos phi, sin phi).
CURLEW_HD complex<double> plane_wave2d(double k, double x, double y, double cos_phi, double sin_phi) {
  return exp_j(k * (x * cos_phi + y * sin_phi));
}

}  // namespace curlew::green
