// SPDX-License-Identifier: BSD-3-Clause
#include "ie/interior_field.hpp"

#include <algorithm>
#include <cmath>

#include "ie/near_field.hpp"
#include "ie/results.hpp"

namespace curlew::ie {
namespace {

using Point = Vec3<double>;

struct Behind {
  std::vector<Index> triangles;
  std::vector<Point> points;
};

/// Points one edge behind triangles, where the inside is deep enough for them.
Behind points_behind(const System& system, Index samples) {
  const auto& mesh = system.mesh();
  const double depth = edge_lengths(mesh).mean;
  const auto& outside = system.scene().regions[0].triangles;
  const std::size_t step = std::max<std::size_t>(outside.size() / std::size_t(samples), 1);
  Behind out;
  for (std::size_t i = 0; i < outside.size(); i += step) {
    const Index t = outside[i], piece = mesh.piece[t];
    const bool conductor =
        system.problem().surfaces[std::size_t(mesh.tag[t])].boundary == Boundary::conductor;
    if (!conductor || !mesh.pieces[std::size_t(piece)].closed) continue;
    const Point inward = -normalized(mesh.area_vector(t)), at = mesh.centroid(t);
    if (!is_inside(mesh, piece, at + depth * inward) || !is_inside(mesh, piece, at + 2 * depth * inward))
      continue;
    out.triangles.push_back(t), out.points.push_back(at + depth * inward);
  }
  return out;
}

double squared(Vec3<Complex> a) {
  return std::norm(a.x) + std::norm(a.y) + std::norm(a.z);
}

}  // namespace

double interior_share(const System& system, const Complex* x,
                      const std::function<green::FieldPair(Point)>& incident, Index samples) {
  const Behind behind = points_behind(system, samples);
  if (behind.points.empty()) return 0;
  // The currents outside, radiating into the vacuum that they were solved in.
  const std::vector<int> outside(behind.points.size(), 0);
  const auto radiated = radiated_field(system, x, behind.points, outside);
  const auto currents = centroid_currents(system, x);
  double inside = 0, whole = 0;
  for (std::size_t i = 0; i < behind.points.size(); ++i) {
    const Point normal = normalized(system.mesh().area_vector(behind.triangles[i]));
    const Vec3<Complex> h = radiated.h[i] + incident(behind.points[i]).h;
    inside += squared(cross(normal, h));
    whole += squared(currents.electric[std::size_t(behind.triangles[i])]);
  }
  return whole > 0 ? std::sqrt(inside / whole) : 0;
}

}  // namespace curlew::ie
