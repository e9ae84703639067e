// SPDX-License-Identifier: BSD-3-Clause
// Which faces can be lumped: rectangles and rings between two conductors.

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "fem/ports/lumped_outline.hpp"
#include "fem/ports/lumped_shape.hpp"

namespace curlew::fem {
namespace {

constexpr double shape_tolerance = 0.02;  ///< of areas and lengths

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw InputError(fmt::format("{}: {}", name, what));
}

struct Range {
  double low = 1e300, high = -1e300;
  double size() const { return high - low; }
};

Range extent(const LumpedOutline& outline, Vec3<double> direction) {
  Range range;
  for (const auto& edge : outline.edges)
    for (const auto& p : edge.ends) {
      range.low = std::min(range.low, dot(p, direction));
      range.high = std::max(range.high, dot(p, direction));
    }
  return range;
}

/// The conductors along one end of a rectangle, and the length that they cover [m].
struct End {
  std::set<int> conductors;
  double covered = 0;
};
End end_at(const LumpedOutline& outline, Vec3<double> direction, double place, double tolerance) {
  End end;
  for (const auto& edge : outline.edges) {
    if (edge.conductor < 0) continue;
    if (std::abs(dot(edge.ends[0], direction) - place) > tolerance ||
        std::abs(dot(edge.ends[1], direction) - place) > tolerance)
      continue;
    end.conductors.insert(edge.conductor);
    end.covered += edge.length();
  }
  return end;
}

std::vector<Index> edges_of(const LumpedOutline& outline, const std::set<int>& conductors) {
  std::vector<Index> edges;
  for (const auto& edge : outline.edges)
    if (conductors.count(edge.conductor) > 0) edges.push_back(edge.edge);
  return edges;
}

void set_ends(const std::string& name, const LumpedOutline& outline, Range along, LumpedShape& lumped) {
  const double tolerance = 1e-3 * lumped.length;
  const End low = end_at(outline, lumped.direction, along.low, tolerance),
            high = end_at(outline, lumped.direction, along.high, tolerance);
  if (std::min(low.covered, high.covered) < (1 - shape_tolerance) * lumped.width)
    refuse(name,
           fmt::format("of its two ends along direction, {:.3g} mm wide, conductors cover {:.3g} and {:.3g} "
                       "mm: direction must lead from one conductor to another (type \"pec\" or "
                       "\"impedance\") that its edge touches",
                       1e3 * lumped.width, 1e3 * low.covered, 1e3 * high.covered));
  for (const int c : low.conductors)
    if (high.conductors.count(c) > 0)
      refuse(
          name,
          "a conductor at its edge leads from one end to the other and shorts it: between the two conductors "
          "at its ends there must be a gap");
  lumped.ends = {edges_of(outline, low.conductors), edges_of(outline, high.conductors)};
}

/// Centre and radii of two arcs in one plane, by least squares: |p|² - 2 p·c + c² - r_k² = 0, linear in c and
/// c² - r_k².
struct Arcs {
  Vec3<double> centre;
  double radius[2];  ///< [m]
  double angle[2];   ///< [rad]
  double area[2];    ///< [m²] of the sectors between centre and chords
  double deviation;  ///< largest, of a vertex from its arc [m]
};

double subtended(const OutlineEdge& edge, Vec3<double> centre) {
  const Vec3<double> a = edge.ends[0] - centre, b = edge.ends[1] - centre;
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

Arcs fit_arcs(const LumpedOutline& outline) {
  int axis = 0;
  while (std::abs(outline.normal[axis]) > 0.7) ++axis;
  Vec3<double> u{};
  u[axis] = 1;
  u = normalized(u - dot(u, outline.normal) * outline.normal);
  const Vec3<double> v = cross(outline.normal, u), origin = outline.edges[0].ends[0];
  Eigen::Matrix4d normal = Eigen::Matrix4d::Zero();
  Eigen::Vector4d right = Eigen::Vector4d::Zero();
  for (const auto& edge : outline.edges)
    for (const auto& end : edge.ends) {
      if (edge.conductor < 0) continue;
      const Vec3<double> p = end - origin;
      Eigen::Vector4d row(2 * dot(p, u), 2 * dot(p, v), 0, 0);
      row[2 + edge.conductor] = 1;
      normal += row * row.transpose();
      right += dot(p, p) * row;
    }
  const Eigen::Vector4d fit = normal.colPivHouseholderQr().solve(right);
  Arcs arcs{};
  arcs.centre = origin + fit[0] * u + fit[1] * v;
  for (int k = 0; k < 2; ++k)
    arcs.radius[k] = std::sqrt(std::max(fit[2 + k] + fit[0] * fit[0] + fit[1] * fit[1], 0.0));
  for (const auto& edge : outline.edges) {
    if (edge.conductor < 0) continue;
    const double r = arcs.radius[edge.conductor], angle = subtended(edge, arcs.centre);
    arcs.angle[edge.conductor] += angle;
    arcs.area[edge.conductor] += 0.5 * r * r * std::sin(angle);
    for (const auto& p : edge.ends)
      arcs.deviation = std::max(arcs.deviation, std::abs(norm(p - arcs.centre) - r));
  }
  return arcs;
}

LumpedShape rectangle_of(const std::string& name, Vec3<double> direction, const LumpedOutline& outline) {
  LumpedShape lumped;
  lumped.direction = normalized(direction);
  if (std::abs(dot(outline.normal, lumped.direction)) > 1e-3)
    refuse(name, "direction must lie in the plane of the face");
  const Range along = extent(outline, lumped.direction);
  const double across = extent(outline, cross(outline.normal, lumped.direction)).size();
  lumped.length = along.size();
  lumped.width = outline.area / lumped.length;
  if (std::abs(lumped.width / across - 1) > shape_tolerance)
    refuse(name,
           fmt::format("a lumped face is a rectangle with two sides along direction, but its area is {:.3g} "
                       "of length times width: draw a rectangular strip, or give direction = \"radial\" for "
                       "a ring or sector between two concentric conductors, or type = \"waveguide\"",
                       lumped.width / across));
  set_ends(name, outline, along, lumped);
  return lumped;
}

LumpedShape ring_of(const std::string& name, const LumpedOutline& outline) {
  const char* right =
      "direction = \"radial\" is for a ring or sector between two concentric conductors: draw that, or give "
      "a "
      "rectangular strip and direction = \"x\", \"y\", \"z\" or a vector";
  if (outline.num_conductors != 2)
    refuse(name, fmt::format("its edge touches {} conductors; {}", outline.num_conductors, right));
  const Arcs arcs = fit_arcs(outline);
  const int outer = arcs.radius[1] > arcs.radius[0] ? 1 : 0, inner = 1 - outer;
  const double area = arcs.area[outer] - arcs.area[inner];
  if (!(arcs.deviation < 0.01 * arcs.radius[inner]) ||
      std::abs(arcs.angle[0] - arcs.angle[1]) > shape_tolerance * arcs.angle[0] ||
      std::abs(outline.area - area) > shape_tolerance * outline.area)
    refuse(name, fmt::format("its conductors are not concentric arcs of one angle; {}", right));
  LumpedShape lumped;
  lumped.is_radial = true;
  lumped.centre = arcs.centre;
  lumped.length = std::log(arcs.radius[outer] / arcs.radius[inner]);
  lumped.width = 0.5 * (arcs.angle[0] + arcs.angle[1]);
  lumped.ends = {edges_of(outline, {inner}), edges_of(outline, {outer})};
  return lumped;
}

}  // namespace

Vec3<double> LumpedShape::along(Vec3<double> point) const {
  return is_radial ? normalized(point - centre) : direction;
}

LumpedShape lumped_shape(const std::string& name, const CurrentDirection& direction, const Model& model,
                         const NedelecSpace& space, std::span<const Index> triangles) {
  const LumpedOutline outline = lumped_outline(name, model, space, triangles);
  return direction.is_radial ? ring_of(name, outline) : rectangle_of(name, direction.vector, outline);
}

}  // namespace curlew::fem
