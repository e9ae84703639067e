// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Closed forms of integrals of 1/R and R over a flat triangle, R = |r - r'|, for any point r: the parts of
// the Helmholtz kernel that are not smooth. Sources: Wilton, Rao, Glisson, Schaubert, Al-Bundak, Butler
// (1984), IEEE Trans. Antennas Propag. 32(3), 276; Graglia (1993), ibid. 41(10), 1448; in the recursive form
// of Jarvenpaa, Taskinen, Yla-Oijala (2006), ibid. 54(1), 42.

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
TriangleFrame make_frame(Vec3<double> a, Vec3<double> b, Vec3<double> c);

struct TrianglePotentials {
  double inverse;                ///< int 1/R dS' [m]
  double distance;               ///< int R dS' [m^3]
  Vec3<double> inverse_moment;   ///< int (r' - r)/R dS' [m^2]
  Vec3<double> distance_moment;  ///< int (r' - r) R dS' [m^4]
  Vec3<double> gradient;         ///< grad_r int 1/R dS' [1]; in the plane of the triangle the principal value
};
/// @param r any point; on an edge or corner itself `gradient` is infinite and comes out finite but
/// meaningless
TrianglePotentials triangle_potentials(const TriangleFrame& triangle, Vec3<double> r);

}  // namespace curlew::quadrature
