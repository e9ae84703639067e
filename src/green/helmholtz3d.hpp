// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The 3D Green function of the Helmholtz and Laplace equations, without 1/(4 pi), and its gradient, for
// exp(+jwt): g(R) = exp(-jkR)/R, k = k' - j k''. Written once: V is float or double on host and device, or a
// vector of them (base of the SIMD loops); green/elementary.hpp gives the functions of V that it calls.
// Source: Balanis, Advanced Engineering Electromagnetics (2012), section 6.

#include "base/macros.hpp"
#include "green/elementary.hpp"

namespace curlew::green {

/// What the exponential needs: nothing (k = 0), a phase (k real), a phase and a decay (k complex).
enum class Medium { static_kernel, lossless, lossy };

/// Wavenumber k = re - j loss [1/m]; loss >= 0.
template <class T>
struct Wavenumber {
  T re = 0, loss = 0;
};

/// A complex value of scalars or of vectors of them.
template <class V>
struct Pair {
  V re, im;
};

/// exp(-jkR)/R [1/m] from R^2 [m^2] and 1/R [1/m].
/// @param r_inv 1/R, or 0 to make the value 0 (coincident points)
template <Medium M, class T, class V>
CURLEW_HD Pair<V> green(V r2, V r_inv, Wavenumber<T> k) {
  if constexpr (M == Medium::static_kernel) return {r_inv, r_inv * T(0)};
  const V r = r2 * r_inv;
  V magnitude = r_inv;
  if constexpr (M == Medium::lossy) magnitude = r_inv * exp_negative<T>(V(r * -k.loss));
  V s, c;
  sincos<T>(V(r * k.re), s, c);
  return {magnitude * c, -(magnitude * s)};
}

/// The factor f with grad_r g = f (r - r'): f = -(1 + jkR) g / R^2 [1/m^3].
template <Medium M, class T, class V>
CURLEW_HD Pair<V> gradient_factor(V r2, V r_inv, Pair<V> g, Wavenumber<T> k) {
  const V scale = -(r_inv * r_inv);
  if constexpr (M == Medium::static_kernel) return {scale * g.re, g.im};
  const V r = r2 * r_inv;
  const V b = r * k.re;
  if constexpr (M == Medium::lossless) return {scale * (g.re - b * g.im), scale * (g.im + b * g.re)};
  const V a = V(r * k.loss) + T(1);  // 1 + jkR = (1 + k''R) + j k'R
  return {scale * (a * g.re - b * g.im), scale * (a * g.im + b * g.re)};
}

}  // namespace curlew::green
