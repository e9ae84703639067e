// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rules on the unit segment, the unit triangle and the unit tetrahedron, exact for polynomials up to a
// degree. Low degrees use symmetric tables, high ones collapsed products of Gauss and Gauss-Jacobi rules.

#include <vector>

#include "base/vec3.hpp"

namespace curlew::quadrature {

/// Nodes on [0, 1]; the weights sum to 1.
struct SegmentRule {
  std::vector<double> points;
  std::vector<double> weights;
  int size() const { return int(points.size()); }
};

struct TrianglePoint {
  double u, v;
};
/// Points in u, v >= 0, u + v <= 1, all inside; positive weights that sum to 1/2.
/// Barycentric coordinates of a point are 1 - u - v, u, v.
struct TriangleRule {
  std::vector<TrianglePoint> points;
  std::vector<double> weights;
  int size() const { return int(points.size()); }
};

/// Points in x, y, z >= 0, x + y + z <= 1, all inside; positive weights that sum to 1/6.
/// Barycentric coordinates of a point are 1 - x - y - z, x, y, z.
struct TetrahedronRule {
  std::vector<Vec3<double>> points;
  std::vector<double> weights;
  int size() const { return int(points.size()); }
};

/// Gauss-Legendre rule with n >= 1 points, exact to degree 2n - 1, nodes ascending.
/// @throws InputError if n < 1
SegmentRule gauss_legendre(int n);

/// Gauss rule on [0, 1] for the weight (1 - x)^alpha, alpha = 0, 1, 2, ...; the weights sum to 1/(alpha + 1).
/// Source: roots of Jacobi polynomials by Newton with deflation, Karniadakis and Sherwin (2005), appendix B.
/// @throws InputError if n < 1 or alpha < 0
SegmentRule gauss_jacobi(int n, int alpha);

/// Rules exact for polynomials of total degree <= degree, any degree >= 0.
/// @throws InputError if degree < 0
TriangleRule triangle_rule(int degree);
TetrahedronRule tetrahedron_rule(int degree);

}  // namespace curlew::quadrature
