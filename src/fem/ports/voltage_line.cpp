// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/voltage_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "fem/geometry.hpp"
#include "fem/nedelec.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

/// Coordinates of a point in the plane of a triangle, by Newton's method (one step for a straight one).
struct Barycentric {
  double u, v;
  double least() const { return std::min({u, v, 1 - u - v}); }
};
Barycentric coordinates(const TriangleGeometry& geometry, Vec3<double> point) {
  Barycentric at{1.0 / 3, 1.0 / 3};
  for (int step = 0; step < (geometry.num_nodes == 3 ? 1 : 12); ++step) {
    Vec3<double> du, dv;
    tangents(geometry, at.u, at.v, du, dv);
    const Vec3<double> d = point - map_point(geometry, at.u, at.v), area = cross(du, dv);
    at.u += dot(cross(d, dv), area) / dot(area, area);
    at.v += dot(cross(du, d), area) / dot(area, area);
  }
  return at;
}

/// Where the line enters and leaves triangles, 0..1 along it, ascending: between two of these places the
/// integrand is smooth. Curved triangles by their corners, which costs only accuracy of the rule.
std::vector<double> breaks(const NedelecSpace& space, std::span<const Index> triangles,
                           const std::array<Vec3<double>, 2>& line) {
  std::vector<double> places{0, 1};
  for (const Index t : triangles) {
    TriangleGeometry corners = triangle_geometry(*space.mesh, t);
    corners.num_nodes = 3;
    const auto a = coordinates(corners, line[0]), b = coordinates(corners, line[1]);
    const double from[3] = {a.u, a.v, 1 - a.u - a.v}, to[3] = {b.u, b.v, 1 - b.u - b.v};
    for (int i = 0; i < 3; ++i) {
      const double place = from[i] / (from[i] - to[i]);
      if (std::isfinite(place) && place > 0 && place < 1) places.push_back(place);
    }
  }
  std::sort(places.begin(), places.end());
  return places;
}

class Line {
 public:
  Line(const NedelecSpace& space, std::span<const Index> triangles, const std::vector<Index>& dofs,
       Vec3<double> way)
      : space_(space), triangles_(triangles), dofs_(dofs), way_(way) {}

  /// g += weight W(point).way of the triangle that holds the point; false if none does.
  bool add(Vec3<double> point, double weight, std::vector<double>& g) const {
    for (const Index t : triangles_) {
      const TriangleGeometry geometry = triangle_geometry(*space_.mesh, t);
      const auto at = coordinates(geometry, point);
      const double off = norm(map_point(geometry, at.u, at.v) - point);
      if (at.least() < -1e-7 || off > 1e-6 * norm(way_)) continue;
      add(t, geometry, at, weight, g);
      return true;
    }
    return false;
  }

 private:
  void add(Index triangle, const TriangleGeometry& geometry, Barycentric at, double weight,
           std::vector<double>& g) const {
    Vec3<double> du, dv;
    tangents(geometry, at.u, at.v, du, dv);
    const Vec3<double> area = cross(du, dv);
    const Vec3<double> gu = (1 / dot(area, area)) * cross(dv, area),
                       gv = (1 / dot(area, area)) * cross(area, du);
    const double l[3] = {1 - at.u - at.v, at.u, at.v};
    const Vec3<double> gradients[3] = {-(gu + gv), gu, gv};
    BasisValue<double> basis[max_face_dim];
    nedelec_face_basis(space_.order, l, gradients, basis);
    Index unknowns[max_face_dim];
    space_.trace_dofs(space_.topology->triangle_face[std::size_t(triangle)], unknowns);
    for (int i = 0; i < nedelec_face_dim(space_.order); ++i) {
      if (unknowns[i] < 0) continue;
      const auto place = std::lower_bound(dofs_.begin(), dofs_.end(), unknowns[i]) - dofs_.begin();
      g[std::size_t(place)] += weight * dot(basis[i].value, way_);
    }
  }

  const NedelecSpace& space_;
  std::span<const Index> triangles_;
  const std::vector<Index>& dofs_;
  Vec3<double> way_;
};

}  // namespace

std::vector<double> line_functional(const NedelecSpace& space, std::span<const Index> triangles,
                                    const std::vector<Index>& dofs, const std::array<Vec3<double>, 2>& line,
                                    const std::string& name) {
  const Vec3<double> way = line[1] - line[0];
  if (!(norm(way) > 0)) throw InputError(fmt::format("port \"{}\": voltage_line has no length", name));
  const auto rule = quadrature::gauss_legendre(space.order + 1);
  const auto places = breaks(space, triangles, line);
  const Line integral(space, triangles, dofs, way);
  std::vector<double> g(dofs.size());
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const double size = places[i + 1] - places[i];
    if (size < 1e-9) continue;
    for (std::size_t q = 0; q < rule.points.size(); ++q) {
      const Vec3<double> point = line[0] + (places[i] + size * rule.points[q]) * way;
      if (!integral.add(point, size * rule.weights[q], g))
        throw InputError(
            fmt::format("port \"{}\": voltage_line leaves the face at ({:.6g}, {:.6g}, {:.6g}) m: both ends "
                        "and all between must lie on it",
                        name, point.x, point.y, point.z));
    }
  }
  return g;
}

}  // namespace curlew::fem
