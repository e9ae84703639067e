// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Field at one point of electric and magnetic current at one point of a surface, without the factor
// 1/(4 pi), for exp(+jwt). Written once: V is double or float on host and device, or a vector of them.
//
// With d = r - r', g = exp(-jkR)/R, grad g = f d and k^2 g + grad grad g = a + h d d^T, equations (10) and
// (11) of Badia et al. (2020), IEEE Access 8, doi 10.1109/ACCESS.2020.2993103, read for u = -j eta J, v = M
//   k E = a u + h (d.u) d + b v x d,   -curl E = a v + h (d.v) d + b u x d,   b = k f.
// Their sum and difference need one matrix K = a + h d d^T - b [d x] and its transpose:
//   k E - curl E = K (u + v),   k E + curl E = K^T (u - v),
// which takes 72 products per right-hand side instead of 104 for the two equations.

#include "base/macros.hpp"
#include "base/vec3.hpp"
#include "green/helmholtz3d.hpp"

namespace curlew::green {

/// a, h and b of K.
template <class V>
struct PairFactors {
  Pair<V> a, h, b;
};

/// @param r2, r_inv, g squared distance, its inverse root (0 to make K vanish) and exp(-jkR)/R
template <class T, class V>
CURLEW_HD PairFactors<V> pair_factors(V r2, V r_inv, Pair<V> g, T k) {
  const Pair<V> f = gradient_factor<Medium::lossless, T>(r2, r_inv, g, Wavenumber<T>{k, T(0)});
  const V scale = -(r_inv * r_inv);
  const Pair<V> kkg{(k * k) * g.re, (k * k) * g.im};
  return {{kkg.re + f.re, kkg.im + f.im},
          {scale * (T(3) * f.re + kkg.re), scale * (T(3) * f.im + kkg.im)},
          {k * f.re, k * f.im}};
}

/// The complex matrix K [1/m^3], row by row.
template <class V>
struct SurfacePair {
  Pair<V> k[3][3];
};

template <class V>
CURLEW_HD SurfacePair<V> surface_pair(Vec3<V> d, const PairFactors<V>& p) {
  const Pair<V>&a = p.a, &h = p.h, &b = p.b;
  SurfacePair<V> m;
  const Pair<V> hx{h.re * d.x, h.im * d.x}, hy{h.re * d.y, h.im * d.y}, hz{h.re * d.z, h.im * d.z};
  m.k[0][0] = {a.re + hx.re * d.x, a.im + hx.im * d.x};
  m.k[1][1] = {a.re + hy.re * d.y, a.im + hy.im * d.y};
  m.k[2][2] = {a.re + hz.re * d.z, a.im + hz.im * d.z};
  const Pair<V> xy{hx.re * d.y, hx.im * d.y}, xz{hx.re * d.z, hx.im * d.z}, yz{hy.re * d.z, hy.im * d.z};
  m.k[0][1] = {xy.re + b.re * d.z, xy.im + b.im * d.z};
  m.k[1][0] = {xy.re - b.re * d.z, xy.im - b.im * d.z};
  m.k[2][0] = {xz.re + b.re * d.y, xz.im + b.im * d.y};
  m.k[0][2] = {xz.re - b.re * d.y, xz.im - b.im * d.y};
  m.k[1][2] = {yz.re + b.re * d.x, yz.im + b.im * d.x};
  m.k[2][1] = {yz.re - b.re * d.x, yz.im - b.im * d.x};
  return m;
}

/// K for d = r - r' [m]. Coincident points give 0.
/// @param k wavenumber [1/m], real and positive
template <class T, class V>
CURLEW_HD SurfacePair<V> surface_pair(Vec3<V> d, T k) {
  const V r2 = d.x * d.x + d.y * d.y + d.z * d.z;
  const V r_inv = inverse_sqrt(r2);
  const Pair<V> g = green<Medium::lossless, T>(r2, r_inv, Wavenumber<T>{k, T(0)});
  return surface_pair(d, pair_factors<T>(r2, r_inv, g, k));
}

/// plus += K (u + v), minus += K^T (u - v): k E - curl E and k E + curl E.
/// @param sum, difference u + v and u - v as re x, im x, re y, im y, re z, im z
/// @param[in,out] plus, minus the same order
template <class V>
CURLEW_HD void add_surface_pair(const SurfacePair<V>& m, const V sum[6], const V difference[6], V plus[6],
                                V minus[6]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Pair<V> p = m.k[i][j], q = m.k[j][i];
      plus[2 * i] += p.re * sum[2 * j];
      plus[2 * i + 1] += p.re * sum[2 * j + 1];
      minus[2 * i] += q.re * difference[2 * j];
      minus[2 * i + 1] += q.re * difference[2 * j + 1];
      plus[2 * i] -= p.im * sum[2 * j + 1];
      plus[2 * i + 1] += p.im * sum[2 * j];
      minus[2 * i] -= q.im * difference[2 * j + 1];
      minus[2 * i + 1] += q.im * difference[2 * j];
    }
  }
}

}  // namespace curlew::green
