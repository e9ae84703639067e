// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The elements that carry currents and charges of every basis: flat triangles and tetrahedra with a
// current that is affine, J(r) = J_c + slope q (r - centre), and a constant charge q = div J. SWG and RWG
// functions, and the charge sheets where a contrast jumps, are all of this form, so that one set of integrals
// and one accelerated operator suffice.

#include <vector>

#include "base/macros.hpp"
#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::ie {

struct Element {
  Vec3<double> corners[4];  ///< [m]; the last is unused on a triangle
  int num_corners = 4;      ///< 3 or 4
  double slope = 0;         ///< 1/3 in a tetrahedron, 1/2 on a triangle with current, 0 on a charge sheet

  CURLEW_HD Vec3<double> centre() const {
    Vec3<double> sum = corners[0] + corners[1] + corners[2];
    if (num_corners == 4) sum += corners[3];
    return (1.0 / num_corners) * sum;
  }
  /// Area [m^2] or volume [m^3].
  CURLEW_HD double size() const {
    const Vec3<double> u = corners[1] - corners[0], v = corners[2] - corners[0];
    if (num_corners == 3) return 0.5 * norm(cross(u, v));
    return ::fabs(dot(corners[3] - corners[0], cross(u, v))) / 6;
  }
  /// Largest distance of a corner from the centre [m].
  CURLEW_HD double radius() const {
    const Vec3<double> c = centre();
    double r2 = 0;
    for (int i = 0; i < num_corners; ++i) r2 = ::fmax(r2, dot(corners[i] - c, corners[i] - c));
    return ::sqrt(r2);
  }
};

/// A rule on an element: corners' weights of every point; weights sum to 1. Plain memory, host or device.
struct RuleView {
  int size = 0;
  const double* barycentric = nullptr;  ///< [size, 4]
  const double* weights = nullptr;      ///< [size]

  CURLEW_HD Vec3<double> point(const Element& e, int i) const {
    const double* l = barycentric + 4 * i;
    Vec3<double> p = l[0] * e.corners[0] + l[1] * e.corners[1] + l[2] * e.corners[2];
    if (e.num_corners == 4) p += l[3] * e.corners[3];
    return p;
  }
};

/// Rules for triangles and for tetrahedra of one degree, as the kernels read them.
class ElementRules {
 public:
  /// Exact to this total degree.
  explicit ElementRules(int degree);
  RuleView triangle() const {
    return {int(triangle_weights_.size()), triangle_.data(), triangle_weights_.data()};
  }
  RuleView tetrahedron() const {
    return {int(tetrahedron_weights_.size()), tetrahedron_.data(), tetrahedron_weights_.data()};
  }
  RuleView of(const Element& e) const { return e.num_corners == 3 ? triangle() : tetrahedron(); }

 private:
  std::vector<double> triangle_, triangle_weights_, tetrahedron_, tetrahedron_weights_;
};

/// The points that represent the elements in sums over points.
struct ElementPoints {
  std::vector<Offset> offsets{0};         ///< [elements + 1] first point of every element
  std::vector<Vec3<double>> points;       ///< [m]
  std::vector<Vec3<double>> from_centre;  ///< slope times (point - centre) of its element [m]
  std::vector<double> weights;            ///< [m^2] or [m^3]
};
ElementPoints make_points(const std::vector<Element>& elements, const ElementRules& rules);

}  // namespace curlew::ie
