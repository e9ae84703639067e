// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sums over test points from which the nine entries of a pair of triangles follow: one source for one pair on
// host and device (R double, C complex<double>) and for a SIMD vector of test triangles (R VecD, C SplitVec).

#include "base/vec3.hpp"

namespace curlew::ie {

/// Sums over test points at rho from the test centroid, with S = int g, V = int rho' g, D = int grad g over
/// the source, g = exp(-jkR)/R, rho' from the source centroid. Terms that a formulation does not need are
/// omitted.
template <class R, class C, bool magnetic, bool rotated>
struct PairMoments {
  Vec3<R> normal{};
  C s{}, rv{}, rd{}, n0{}, n2{};
  Vec3<C> rs{}, v0{}, d0{}, rxd{}, n1{};

  CURLEW_HD void add(Vec3<R> rho, R w, C S, Vec3<C> V, Vec3<C> D) {
    s += w * S;
    rs += (w * S) * rho;
    v0 += w * V;
    rv += w * dot(rho, V);
    if constexpr (magnetic) rxd += w * cross(rho, D);
    if constexpr (magnetic || rotated) d0 += w * D;
    if constexpr (rotated) {
      const C nd = w * dot(normal, D);
      rd += w * dot(rho, D);
      n0 += nd;
      n1 += nd * rho;
      n2 += nd * dot(rho, rho);
    }
  }

  /// One entry of each kind.
  /// @param p corner of the test triangle from its centroid
  /// @param own, q corner of the source triangle from its own centroid, from the test triangle's centroid
  /// @param scale 1/(16 pi A A'), jk the wavenumber times j, a complex number
  template <class J>
  CURLEW_HD C electric(Vec3<R> p, Vec3<R> own, R scale, J jk) const {
    return scale * (jk * current(p, own) + (4.0 / jk) * s);
  }
  /// The part of `electric` from the currents, without scale and jk.
  CURLEW_HD C current(Vec3<R> p, Vec3<R> own) const {
    return rv - dot(p, v0) - dot(own, rs) + dot(p, own) * s;
  }
  CURLEW_HD C magnetic_entry(Vec3<R> p, Vec3<R> q, R scale) const {
    return scale * (dot(p - q, rxd) + dot(cross(q, p), d0));
  }
  CURLEW_HD C rotated_entry(Vec3<R> p, Vec3<R> q, R scale) const {
    return -scale * (dot(normal, q) * (rd - dot(p, d0)) + n2 - dot(p + q, n1) + dot(p, q) * n0);
  }
};

}  // namespace curlew::ie
