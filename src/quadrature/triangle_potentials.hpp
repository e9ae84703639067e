// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Closed forms of integrals of 1/R and R over a flat triangle, R = |r - r'|, for any point r: the parts of
// the Helmholtz kernel that are not smooth; on host and device. Sources: Wilton, Rao, Glisson, Schaubert,
// Al-Bundak, Butler (1984), IEEE Trans. Antennas Propag. 32(3), 276; Graglia (1993), ibid. 41(10), 1448; in
// the recursive form of Jarvenpaa, Taskinen, Yla-Oijala (2006), ibid. 54(1), 42.

#include "base/vec3.hpp"

namespace curlew::quadrature {

/// Geometry of a triangle that all points share.
struct TriangleFrame {
  Vec3<double> corner[3];   ///< [m]
  Vec3<double> normal;      ///< unit, (b - a) x (c - a)
  Vec3<double> along[3];    ///< unit, edge i from corner i to corner i + 1
  Vec3<double> outward[3];  ///< unit, in the plane, out of the triangle across edge i
  double length[3];         ///< [m]
  double area;              ///< [m^2]
};

CURLEW_HD TriangleFrame make_frame(Vec3<double> a, Vec3<double> b, Vec3<double> c) {
  TriangleFrame f{};
  f.corner[0] = a, f.corner[1] = b, f.corner[2] = c;
  const Vec3<double> twice = cross(b - a, c - a);
  f.area = 0.5 * norm(twice);
  f.normal = normalized(twice);
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> edge = f.corner[(i + 1) % 3] - f.corner[i];
    f.length[i] = norm(edge);
    f.along[i] = (1 / f.length[i]) * edge;
    f.outward[i] = cross(f.along[i], f.normal);
  }
  return f;
}

struct TrianglePotentials {
  double inverse;                ///< int 1/R dS' [m]
  double distance;               ///< int R dS' [m^3]
  Vec3<double> inverse_moment;   ///< int (r' - r)/R dS' [m^2]
  Vec3<double> distance_moment;  ///< int (r' - r) R dS' [m^4]
  Vec3<double> gradient;         ///< grad_r int 1/R dS' [1]; in the plane of the triangle the principal value
};

namespace detail {

/// Integrals along one edge, with s measured from the foot of the perpendicular from r.
struct EdgeIntegrals {
  double inverse;   // int 1/R ds
  double linear;    // int R ds
  double cubic;     // int R^3 ds
  double angle;     // share of the solid angle
  double distance;  // t: from the projection of r to the edge, positive where the edge lies outward
};

CURLEW_HD EdgeIntegrals edge_integrals(const TriangleFrame& f, int i, Vec3<double> r, double height) {
  const Vec3<double> from = f.corner[i] - r;
  const double s0 = dot(from, f.along[i]), s1 = s0 + f.length[i], t = dot(from, f.outward[i]);
  const double r0_squared = t * t + height * height;
  const double r0 = ::sqrt(s0 * s0 + r0_squared), r1 = ::sqrt(s1 * s1 + r0_squared);
  EdgeIntegrals e{};
  e.distance = t;
  // ln((R1 + s1)/(R0 + s0)), in the one of two equal forms without cancellation.
  const double top = s0 + s1 >= 0 ? r1 + s1 : r0 - s0, bottom = s0 + s1 >= 0 ? r0 + s0 : r1 - s1;
  const double least = 1e-300 + 1e-16 * f.length[i];
  e.inverse = ::log(::fmax(top, least) / ::fmax(bottom, least));
  e.linear = 0.5 * (r0_squared * e.inverse + s1 * r1 - s0 * r0);
  e.cubic = 0.25 * (3 * r0_squared * e.linear + s1 * r1 * r1 * r1 - s0 * r0 * r0 * r0);
  if (height > 0) {
    e.angle = ::atan2(t * s1, r0_squared + height * r1) - ::atan2(t * s0, r0_squared + height * r0);
  }
  return e;
}

}  // namespace detail

/// @param r any point; on an edge or corner `gradient` is infinite; the returned value is finite and
/// meaningless
CURLEW_HD TrianglePotentials triangle_potentials(const TriangleFrame& f, Vec3<double> r) {
  const double above = dot(f.normal, r - f.corner[0]), size = f.length[0] + f.length[1] + f.length[2];
  // The computed distance of a point in the plane is the rounding error of coordinates, which grows with the
  // distance from the origin.
  const double rounding = 1e-13 * size + 16 * 2.2e-16 * norm(f.corner[0]);
  const double height = ::fabs(above) > rounding ? ::fabs(above) : 0.0;
  double sum_inverse = 0, sum_linear = 0, solid_angle = 0;
  Vec3<double> edge_inverse{}, edge_linear{}, edge_cubic{};
  for (int i = 0; i < 3; ++i) {
    const auto e = detail::edge_integrals(f, i, r, height);
    sum_inverse += e.distance * e.inverse;
    sum_linear += e.distance * e.linear;
    solid_angle += e.angle;
    edge_inverse += e.inverse * f.outward[i];
    edge_linear += e.linear * f.outward[i];
    edge_cubic += e.cubic * f.outward[i];
  }
  TrianglePotentials p{};
  p.inverse = sum_inverse - height * solid_angle;
  p.distance = (height * height * p.inverse + sum_linear) / 3;
  // r' - r = (r' - foot) - above n, and (r' - foot) R^q is a gradient in the plane.
  p.inverse_moment = edge_linear - (above * p.inverse) * f.normal;
  p.distance_moment = (1.0 / 3) * edge_cubic - (above * p.distance) * f.normal;
  p.gradient = -edge_inverse;
  if (height > 0) p.gradient -= (above > 0 ? solid_angle : -solid_angle) * f.normal;
  return p;
}

}  // namespace curlew::quadrature
