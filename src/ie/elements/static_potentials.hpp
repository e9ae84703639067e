// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Closed forms of the integrals of 1/R and R, and of (r' - r) times them, over a triangle and a tetrahedron:
// terms subtracted from exp(-jkR)/R before quadrature. Source: Wilton et al. (1984), IEEE Trans. Antennas
// Propag. 32, 276; Graglia (1993), 41, 1448. The powers of R follow from div_s(rho R^n) = (n + 2) R^n - n h^2
// R^(n-2) in a plane at height h and, in space, from div((r' - r) R^n) = (n + 3) R^n.

#include "base/macros.hpp"
#include "base/vec3.hpp"

namespace curlew::ie {

/// Integrals over the source r', seen from r; [m^(d-1)], [m^d], [m^(d+1)], [m^(d+2)] in d dimensions.
struct StaticPotentials {
  double inverse = 0;           ///< of 1/R
  Vec3<double> inverse_moment;  ///< of (r' - r)/R
  double linear = 0;            ///< of R
  Vec3<double> linear_moment;   ///< of (r' - r) R
};

/// Contributions of a flat face to the integrals over it and over the adjacent cells.
struct FacePotentials {
  double inverse = 0, linear = 0, cubic = 0;   ///< of 1/R, R, R^3
  Vec3<double> inverse_moment, linear_moment;  ///< of (r' - rho)/R and (r' - rho) R, rho the foot of r
  Vec3<double> normal;                         ///< unit normal, oriented by the order of the corners
  double height = 0;                           ///< normal . (corner - r) [m]
};

namespace detail {

/// ln((R1 + s1)/(R0 + s0)) for a segment from s0 to s1 of its line, without cancellation on either side: the
/// products (R + s)(R - s) are the squared distance from the line.
CURLEW_HD double segment_log(double s0, double s1, double r0, double r1, double from_line2) {
  if (s0 >= 0) return ::log((r1 + s1) / (r0 + s0));
  if (s1 <= 0) return ::log((r0 - s0) / (r1 - s1));
  return ::log((r1 + s1) * (r0 - s0) / from_line2);
}

}  // namespace detail

/// @param a, b, c corners [m], not on one line
CURLEW_HD FacePotentials face_potentials(Vec3<double> a, Vec3<double> b, Vec3<double> c, Vec3<double> r) {
  FacePotentials f;
  f.normal = normalized(cross(b - a, c - a));
  f.height = dot(f.normal, a - r);
  const double h = ::fabs(f.height), h2 = h * h;
  const Vec3<double> corner[4] = {a - r, b - r, c - r, a - r};
  double linear_edges = 0, cubic_edges = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> p0 = corner[i], p1 = corner[i + 1];
    const Vec3<double> along = normalized(p1 - p0);
    const Vec3<double> outward = cross(along, f.normal);
    const double t = dot(outward, p0), s0 = dot(along, p0), s1 = dot(along, p1);
    const double r0 = norm(p0), r1 = norm(p1), from_line2 = t * t + h2;
    double logarithm = 0;
    if (from_line2 > 1e-28 * dot(p1 - p0, p1 - p0)) {  // on the line itself every factor of it vanishes
      logarithm = detail::segment_log(s0, s1, r0, r1, from_line2);
      const double angle = ::atan(t * s1 / (from_line2 + h * r1)) - ::atan(t * s0 / (from_line2 + h * r0));
      f.inverse += t * logarithm - h * angle;
    }
    const double edge1 = 0.5 * (s1 * r1 - s0 * r0 + from_line2 * logarithm);  // of R along the edge
    const double edge3 = 0.25 * (s1 * r1 * r1 * r1 - s0 * r0 * r0 * r0) + 0.75 * from_line2 * edge1;
    linear_edges += t * edge1;
    cubic_edges += t * edge3;
    f.inverse_moment += edge1 * outward;
    f.linear_moment += (edge3 / 3) * outward;
  }
  f.linear = (h2 * f.inverse + linear_edges) / 3;
  f.cubic = (3 * h2 * f.linear + cubic_edges) / 5;
  return f;
}

CURLEW_HD StaticPotentials triangle_potentials(Vec3<double> a, Vec3<double> b, Vec3<double> c,
                                               Vec3<double> r) {
  const FacePotentials f = face_potentials(a, b, c, r);
  const Vec3<double> to_foot = f.height * f.normal;  // rho - r
  return {f.inverse, f.inverse_moment + f.inverse * to_foot, f.linear, f.linear_moment + f.linear * to_foot};
}

/// @param v corners [m] in either orientation
CURLEW_HD StaticPotentials tetrahedron_potentials(const Vec3<double>* v, Vec3<double> r) {
  constexpr int faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  StaticPotentials p;
  for (int i = 0; i < 4; ++i) {
    const Vec3<double> a = v[faces[i][0]];
    const FacePotentials f = face_potentials(a, v[faces[i][1]], v[faces[i][2]], r);
    const double side = dot(f.normal, a - v[i]) > 0 ? 1.0 : -1.0;  // outward is away from corner i
    p.inverse += 0.5 * side * f.height * f.inverse;
    p.linear += 0.25 * side * f.height * f.linear;
    p.inverse_moment += (side * f.linear) * f.normal;
    p.linear_moment += (side * f.cubic / 3) * f.normal;
  }
  return p;
}

}  // namespace curlew::ie
