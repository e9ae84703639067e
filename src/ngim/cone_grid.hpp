// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The nonuniform grid of a high-frequency box: the outgoing field times r exp(+jkr) is smooth in h/r and in
// the two angles, so Chebyshev nodes in a few segments of them (cones) represent it at any distance. Angles
// are coordinates on the six faces of a cube, tan-spaced: nearly uniform, without poles. Sources: Li, Chang
// and Lomakin, chapter 19; Bauinger and Bruno (2021), arXiv 2010.02857 (interpolation in cone segments in
// h/r, recursion between levels, error theory).

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::ngim {

/// Lengths in units of the box (side 1). All levels of one scheme share the orders.
struct ConeGrid {
  int angular_segments = 1;  ///< per side of a face
  int radial_segments = 1;
  int angular_order = 4;  ///< Chebyshev nodes per segment and angle
  int radial_order = 4;
  double s_min = 0, s_max = 0;  ///< range of s = 1/r; beyond 1/s_min the field is not needed or has decayed
  double error = 0;             ///< measured on samples, relative

  CURLEW_HD int num_segments() const { return 6 * angular_segments * angular_segments * radial_segments; }
  CURLEW_HD int num_samples() const { return radial_order * angular_order * angular_order; }
};

/// Smallest numbers of segments that reach the error on sampled sources in the box.
/// @param kappa wavenumber times side of the box
/// @param r_max largest distance at which the field is needed, in sides of the box; > 1.5
ConeGrid choose_cone_grid(Complex kappa, double error, double r_max);

/// Position of a point: its segment, and coordinates in [-1/2, 1/2] within it.
template <class T>
struct ConePoint {
  int segment;  ///< -1: beyond s_min
  int face_axis;
  T s, u, v;     ///< inside the segment
  T r;           ///< distance from the centre of the box [sides]
  T xi, eta;     ///< ratios of the other two coordinates to that of the face's axis
  T wu, wv, ws;  ///< position in units of segments, before the integer part is subtracted
};

/// @param d point minus centre of the box, in sides of the box; |d| >= 1.5 for a segment to exist
template <class T>
CURLEW_HD ConePoint<T> locate(const ConeGrid& grid, Vec3<T> d) {
  ConePoint<T> p;
  p.r = norm(d);
  const T ax = ::fabs(d.x), ay = ::fabs(d.y), az = ::fabs(d.z);
  p.face_axis = ax >= ay && ax >= az ? 0 : (ay >= az ? 1 : 2);
  const T da = d[p.face_axis], inverse = T(1) / da;
  p.xi = d[(p.face_axis + 1) % 3] * inverse;
  p.eta = d[(p.face_axis + 2) % 3] * inverse;
  const int n = grid.angular_segments, m = grid.radial_segments;
  constexpr T four_over_pi = T(1.27323954473516268615);
  p.wu = (T(::atan(p.xi)) * four_over_pi + T(1)) * T(0.5) * T(n);
  p.wv = (T(::atan(p.eta)) * four_over_pi + T(1)) * T(0.5) * T(n);
  p.ws = (T(1) / p.r - T(grid.s_min)) * (T(m) / T(grid.s_max - grid.s_min));
  int iu = int(p.wu), iv = int(p.wv), is = int(p.ws);
  iu = iu < 0 ? 0 : (iu >= n ? n - 1 : iu);
  iv = iv < 0 ? 0 : (iv >= n ? n - 1 : iv);
  is = is >= m ? m - 1 : is;
  p.u = p.wu - T(iu) - T(0.5), p.v = p.wv - T(iv) - T(0.5), p.s = p.ws - T(is) - T(0.5);
  const int face = 2 * p.face_axis + (da < 0 ? 1 : 0);
  p.segment = p.ws < T(0) ? -1 : ((face * n + iu) * n + iv) * m + is;
  return p;
}

/// The point with coordinates (s, u, v) in [-1/2, 1/2] of a segment, in sides of the box from its centre.
template <class T>
CURLEW_HD Vec3<T> cone_position(const ConeGrid& grid, int segment, T s, T u, T v) {
  const int n = grid.angular_segments, m = grid.radial_segments;
  const int is = segment % m, iv = segment / m % n, iu = segment / (m * n) % n, face = segment / (m * n * n);
  const T r = T(1) / (T(grid.s_min) + (T(is) + s + T(0.5)) * (T(grid.s_max - grid.s_min) / T(m)));
  constexpr T pi_over_4 = T(0.78539816339744830962);
  const T xi = ::tan(pi_over_4 * ((T(iu) + u + T(0.5)) * (T(2) / T(n)) - T(1)));
  const T eta = ::tan(pi_over_4 * ((T(iv) + v + T(0.5)) * (T(2) / T(n)) - T(1)));
  const T da = (face & 1 ? -r : r) / ::sqrt(T(1) + xi * xi + eta * eta);
  const int axis = face >> 1;
  Vec3<T> d;
  d[axis] = da;
  d[(axis + 1) % 3] = xi * da;
  d[(axis + 2) % 3] = eta * da;
  return d;
}

/// Chebyshev node i of n on [-1/2, 1/2].
template <class T>
CURLEW_HD T chebyshev_node(int i, int n) {
  return T(0.5) * T(::cos((T(i) + T(0.5)) * T(3.14159265358979323846) / T(n)));
}

}  // namespace curlew::ngim
