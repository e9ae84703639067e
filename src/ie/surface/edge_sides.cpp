// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/edge_sides.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/constants.hpp"
#include "ie/surface/sorted_by.hpp"

namespace curlew::ie {

std::vector<EdgeSide> sorted_sides(const SurfaceMesh& mesh) {
  std::vector<EdgeSide> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (Index t = 0; t < mesh.num_faces(); ++t) {
    for (int i = 0; i < 3; ++i) {
      const Index a = mesh.triangles[t][(i + 1) % 3], b = mesh.triangles[t][(i + 2) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), t, i, a < b});
    }
  }
  return sorted_by(
      sides, Index(mesh.nodes.size()), [](const EdgeSide& s) { return s.a; },
      [](const EdgeSide& p, const EdgeSide& q) {
        return std::tie(p.b, p.triangle) < std::tie(q.b, q.triangle);
      });
}

std::vector<EdgeSide> around_edge(const SurfaceMesh& mesh, std::span<const EdgeSide> sides) {
  if (sides.size() < 3) return {sides.begin(), sides.end()};
  const Vec3<double> origin = mesh.nodes[sides[0].a], along = normalized(mesh.nodes[sides[0].b] - origin);
  const auto away = [&](const EdgeSide& s) {
    const Vec3<double> d = mesh.corner(s.triangle, s.vertex) - origin;
    return d - dot(d, along) * along;
  };
  const Vec3<double> first = away(sides[0]), second = cross(along, first);
  std::vector<std::pair<double, std::size_t>> order{{0.0, 0}};
  for (std::size_t i = 1; i < sides.size(); ++i) {
    const double angle = std::atan2(dot(away(sides[i]), second), dot(away(sides[i]), first));
    order.emplace_back(angle < 0 ? angle + 2 * pi : angle, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<EdgeSide> out;
  for (const auto& [angle, i] : order) out.push_back(sides[i]);
  return out;
}

}  // namespace curlew::ie
