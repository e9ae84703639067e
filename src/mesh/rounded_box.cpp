// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/rounded_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/constants.hpp"

namespace curlew::mesh {
namespace {

using Place = std::array<int, 3>;  ///< of a vertex in the grid around the box

/// Coordinates of the grid's lines along one axis, from one side of the sharp box around the surface to the
/// other. Over a round part they cut it into equal angles.
std::vector<double> grid_lines(double core, double radius, double size) {
  const int round = std::max(1, int(std::ceil(pi / 4 * radius / size)));
  const int flat = core > 0.1 * size ? int(std::ceil(2 * core / size)) : 0;
  std::vector<double> upper{0};  // from the middle up
  if (flat > 0) {
    upper.clear();
    for (int i = flat % 2 == 0 ? 0 : 1; i <= flat; i += 2) upper.push_back(core * i / flat);
  }
  for (int i = 1; i <= round; ++i) upper.push_back(core + radius * std::tan(pi / 4 * i / round));
  std::vector<double> lines;
  for (std::size_t i = upper.size(); i-- > 0;)
    if (upper[i] > 0) lines.push_back(-upper[i]);
  lines.insert(lines.end(), upper.begin(), upper.end());
  return lines;
}

/// The grid's vertices, made at their first use.
class GridVertices {
 public:
  GridVertices(const RoundedBox& box, const std::array<std::vector<double>, 3>& lines, SurfaceGrid& grid)
      : box_(box), lines_(lines), grid_(grid) {}
  Index operator()(const Place& p) {
    const auto [at, added] = number_.try_emplace(p, Index(grid_.vertices.size()));
    if (added) {
      Vec3<double> x = box_.center;
      for (int i = 0; i < 3; ++i) x[i] += lines_[std::size_t(i)][std::size_t(p[std::size_t(i)])];
      grid_.vertices.push_back(box_.project(x));
    }
    return at->second;
  }

 private:
  const RoundedBox& box_;
  const std::array<std::vector<double>, 3>& lines_;
  SurfaceGrid& grid_;
  std::map<Place, Index> number_;
};

void add_square(Index a, Index b, Index c, Index d, SurfaceGrid& grid) {
  const auto& x = grid.vertices;
  const auto length = [&](Index i, Index j) { return norm(x[std::size_t(i)] - x[std::size_t(j)]); };
  if (length(a, c) <= length(b, d))
    grid.triangles.insert(grid.triangles.end(), {{a, b, c}, {a, c, d}});
  else
    grid.triangles.insert(grid.triangles.end(), {{b, c, d}, {b, d, a}});
}

}  // namespace

Vec3<double> RoundedBox::nearest_of_core(Vec3<double> x) const {
  for (int i = 0; i < 3; ++i) x[i] = std::clamp(x[i], center[i] - core[i], center[i] + core[i]);
  return x;
}

Vec3<double> RoundedBox::project(Vec3<double> x) const {
  const Vec3<double> k = nearest_of_core(x);
  return k + radius * normalized(x - k);
}

RoundedBox rounded_box_around(std::span<const Vec3<double>> points, double distance) {
  constexpr double huge = std::numeric_limits<double>::max();
  Vec3<double> lo{huge, huge, huge}, hi{-huge, -huge, -huge};
  for (const auto& p : points)
    for (int i = 0; i < 3; ++i) lo[i] = std::min(lo[i], p[i]), hi[i] = std::max(hi[i], p[i]);
  const Vec3<double> half = 0.5 * (hi - lo);
  const auto with_radius = [&](double radius) {
    RoundedBox box{0.5 * (lo + hi), {}, radius};
    for (int i = 0; i < 3; ++i) box.core[i] = std::max(0.0, half[i] + distance - radius);
    return box;
  };
  const auto keeps_distance = [&](const RoundedBox& box) {
    return std::all_of(points.begin(), points.end(), [&](Vec3<double> p) {
      return norm(p - box.nearest_of_core(p)) <= box.radius - (1 - 1e-9) * distance;
    });
  };
  // A larger radius gives a smaller box: finds the greatest radius that keeps the distance to all points.
  double least = distance, greatest = distance + std::min({half.x, half.y, half.z});
  if (keeps_distance(with_radius(greatest))) return with_radius(greatest);
  for (int step = 0; step < 40; ++step) {
    const double middle = 0.5 * (least + greatest);
    (keeps_distance(with_radius(middle)) ? least : greatest) = middle;
  }
  return with_radius(least);
}

SurfaceGrid triangulate(const RoundedBox& box, double size) {
  std::array<std::vector<double>, 3> lines;
  for (int i = 0; i < 3; ++i) lines[std::size_t(i)] = grid_lines(box.core[i], box.radius, size);
  SurfaceGrid grid;
  GridVertices vertex(box, lines, grid);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const int end : {0, int(lines[axis].size()) - 1}) {
      for (int i = 0; i + 1 < int(lines[u].size()); ++i) {
        for (int j = 0; j + 1 < int(lines[v].size()); ++j) {
          const auto at = [&](int du, int dv) {
            Place p{};
            p[axis] = end, p[u] = i + du, p[v] = j + dv;
            return vertex(p);
          };
          const Index a = at(0, 0), b = at(1, 0), c = at(1, 1), d = at(0, 1);
          add_square(a, b, c, d, grid);
        }
      }
    }
  }
  return grid;
}

}  // namespace curlew::mesh
