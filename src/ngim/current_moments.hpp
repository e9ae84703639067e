// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chebyshev moments of point currents: the input of the grids in stage 1 if sources are the pairs (s, t) of
// green/surface_pair.hpp instead of charges. The field K s = k^2 g s + grad grad g . s - k grad g x s depends
// on the source position only through g, so that grad becomes -grad' and acts on the basis functions: the
// moments
//   m = sum_n T_a T_b T_c s_n   become   k^2 m + grad' (div' m) + k curl' m,
// and for K^T t the curl has the other sign. Derivatives of polynomials are polynomials, so that all
// operations act on the moments of a box and are independent of the number of its points.

#include "base/macros.hpp"

namespace curlew::ngim {

/// Number of vectors of one current: s_x, s_y, s_z, t_x, t_y, t_z.
inline constexpr int current_vectors = 6;

/// Moment of the derivative of basis function j = (a q + b) q + c, of T_a(2x) T_b(2y) T_c(2z), in direction
/// d: T_a' = 2a (T_{a-1} + T_{a-3} + ...), with half of T_0.
/// @param moment of basis function i, called with i
template <class Value, class T, class Moment>
CURLEW_HD Value moment_slope(int j, int d, int q, T scale, const Moment& moment) {
  const int stride = d == 0 ? q * q : (d == 1 ? q : 1), a = j / stride % q, first = j - a * stride;
  Value sum{};
  for (int i = a - 1; i > 0; i -= 2) sum += moment(first + i * stride);
  sum += sum;
  if (a % 2 == 1) sum += moment(first);
  return (scale * T(2 * a)) * sum;
}

/// Moments of three vectors in a box of side 1/scale. `moment(i, v)`: basis function i of vector v.
template <class Value, class T, class Moment>
CURLEW_HD Value moment_divergence(int j, int q, T scale, const Moment& moment) {
  Value sum{};
  for (int d = 0; d < 3; ++d)
    sum += moment_slope<Value, T>(j, d, q, scale, [&](int i) { return moment(i, d); });
  return sum;
}

/// Component d of k^2 m + grad' (div' m) + k curl' m.
/// @param k of K, -k for its transpose
/// @param divergence called with i, the moments' divergence
template <class Value, class T, class Moment, class Divergence>
CURLEW_HD Value current_moment(int j, int d, int q, T scale, T k, const Moment& moment,
                               const Divergence& divergence) {
  const int e = (d + 1) % 3, f = (d + 2) % 3;
  const Value curl = moment_slope<Value, T>(j, e, q, scale, [&](int i) { return moment(i, f); }) -
                     moment_slope<Value, T>(j, f, q, scale, [&](int i) { return moment(i, e); });
  return (k * k) * moment(j, d) + moment_slope<Value, T>(j, d, q, scale, divergence) + k * curl;
}

}  // namespace curlew::ngim
