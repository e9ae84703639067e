// SPDX-License-Identifier: BSD-3-Clause
#include "ie/elements/elements.hpp"

#include "quadrature/rules.hpp"

namespace curlew::ie {

ElementRules::ElementRules(int degree) {
  const auto on_triangle = quadrature::triangle_rule(degree);
  for (int i = 0; i < on_triangle.size(); ++i) {
    const auto [u, v] = on_triangle.points[i];
    triangle_.insert(triangle_.end(), {1 - u - v, u, v, 0.0});
    triangle_weights_.push_back(2 * on_triangle.weights[i]);
  }
  const auto in_tetrahedron = quadrature::tetrahedron_rule(degree);
  for (int i = 0; i < in_tetrahedron.size(); ++i) {
    const auto p = in_tetrahedron.points[i];
    tetrahedron_.insert(tetrahedron_.end(), {1 - p.x - p.y - p.z, p.x, p.y, p.z});
    tetrahedron_weights_.push_back(6 * in_tetrahedron.weights[i]);
  }
}

ElementPoints make_points(const std::vector<Element>& elements, const ElementRules& rules) {
  ElementPoints p;
  for (const Element& e : elements) {
    const RuleView rule = rules.of(e);
    const Vec3<double> centre = e.centre();
    const double size = e.size();
    for (int i = 0; i < rule.size; ++i) {
      p.points.push_back(rule.point(e, i));
      p.from_centre.push_back(e.slope * (p.points.back() - centre));
      p.weights.push_back(size * rule.weights[i]);
    }
    p.offsets.push_back(Offset(p.points.size()));
  }
  return p;
}

}  // namespace curlew::ie
