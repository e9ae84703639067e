// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/port_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "base/error.hpp"

namespace curlew::fem {
namespace {

using Point = Vec3<double>;
using Edge = std::array<Index, 2>;

// After CAD import coordinates have about single precision; real kinks are far larger.
constexpr double flatness = 1e-5;

struct Outline {
  std::vector<Edge> edges;
  std::vector<Point> vertices;
  Point normal;  ///< largest component positive
  double area = 0;
  double size = 0;  ///< largest extent
};

Point positive(Point a) {
  const int largest = std::abs(a.x) >= std::abs(a.y) ? (std::abs(a.x) >= std::abs(a.z) ? 0 : 2)
                                                     : (std::abs(a.y) >= std::abs(a.z) ? 1 : 2);
  return a[largest] < 0 ? -a : a;
}

/// Edges that belong to one triangle only, and the plane of the surface.
Outline outline_of(const mesh::Mesh& mesh, const mesh::Region& surface, const std::string& port) {
  Outline outline;
  std::map<Edge, int> count;
  for (const Index t : surface.entities) {
    const Index* tri = mesh.triangle(t);
    const Point a = mesh.nodes[tri[0]], b = mesh.nodes[tri[1]], c = mesh.nodes[tri[2]];
    const Point area = 0.5 * cross(b - a, c - a);
    outline.normal += dot(area, outline.normal) < 0 ? -area : area;
    outline.area += norm(area);
    for (const auto& [i, j] : mesh::triangle_edge_vertices) ++count[{tri[i], tri[j]}];
  }
  if (outline.area == 0)
    throw InputError(fmt::format("{}: the surface \"{}\" has no area", port, surface.name));
  outline.normal = positive(normalized(outline.normal));
  for (const auto& [edge, uses] : count) {
    if (uses != 1) continue;
    outline.edges.push_back(edge);
    outline.vertices.push_back(mesh.nodes[edge[0]]);
    outline.vertices.push_back(mesh.nodes[edge[1]]);
  }
  if (outline.edges.empty())
    throw InputError(fmt::format("{}: the surface \"{}\" is closed, not planar", port, surface.name));
  for (const Point p : outline.vertices) outline.size = std::max(outline.size, norm(p - outline.vertices[0]));
  for (const Index t : surface.entities) {
    const double height = dot(mesh.nodes[mesh.triangle(t)[0]] - outline.vertices[0], outline.normal);
    if (std::abs(height) > flatness * outline.size) {
      throw InputError(fmt::format("{}: the surface \"{}\" is not planar", port, surface.name));
    }
  }
  return outline;
}

/// Smallest and largest coordinate of the vertices along a direction.
std::array<double, 2> extent(const Outline& outline, Point direction) {
  std::array<double, 2> range{1e300, -1e300};
  for (const Point p : outline.vertices) {
    range[0] = std::min(range[0], dot(p, direction));
    range[1] = std::max(range[1], dot(p, direction));
  }
  return range;
}

bool fit_rectangle(const mesh::Mesh& mesh, const Outline& outline, PortShape& shape) {
  const auto& first = outline.edges[0];
  Point u = positive(normalized(mesh.nodes[first[1]] - mesh.nodes[first[0]]));
  Point v = positive(cross(outline.normal, u));
  for (const auto& [i, j] : outline.edges) {
    const Point d = normalized(mesh.nodes[j] - mesh.nodes[i]);
    if (std::min(std::abs(dot(d, u)), std::abs(dot(d, v))) > flatness) return false;
  }
  auto range_u = extent(outline, u), range_v = extent(outline, v);
  if (range_v[1] - range_v[0] > (range_u[1] - range_u[0]) * (1 + flatness)) {
    std::swap(u, v);
    std::swap(range_u, range_v);
  }
  shape.width = range_u[1] - range_u[0];
  shape.height = range_v[1] - range_v[0];
  double length = 0;  // longer than the perimeter where walls inside of the rectangle cut the face
  for (const auto& [i, j] : outline.edges) length += norm(mesh.nodes[j] - mesh.nodes[i]);
  if (length > 2 * (shape.width + shape.height) * (1 + 10 * flatness)) return false;
  if (std::abs(outline.area - shape.width * shape.height) > 10 * flatness * outline.area) return false;
  const double w = dot(outline.vertices[0], outline.normal);
  shape.kind = PortShape::Kind::rectangle;
  shape.origin = range_u[0] * u + range_v[0] * v + w * outline.normal;
  shape.u = u;
  shape.v = v;
  return true;
}

/// The polygon of a meshed circle: vertices on it, area within that of the inscribed polygon.
bool fit_circle(const Outline& outline, PortShape& shape) {
  if (outline.edges.size() < 8) return false;
  Point centre{};
  for (const Point p : outline.vertices) centre += p;
  centre = (1.0 / double(outline.vertices.size())) * centre;
  // Uneven edges shift the mean of the vertices: corrected by Newton steps on the distances.
  for (int step = 0; step < 20; ++step) {
    double radius = 0;
    for (const Point p : outline.vertices) radius += norm(p - centre) / double(outline.vertices.size());
    Point shift{};
    for (const Point p : outline.vertices) {
      const double r = norm(p - centre);
      shift += (2.0 * (r - radius) / (r * double(outline.vertices.size()))) * (p - centre);
    }
    centre += shift;
    shape.width = radius;
  }
  for (const Point p : outline.vertices) {
    if (std::abs(norm(p - centre) - shape.width) > 1e-3 * shape.width) return false;
  }
  const double disc = std::numbers::pi * shape.width * shape.width;
  if (std::abs(outline.area / disc - 1) > 20.0 / double(outline.edges.size() * outline.edges.size()) + 1e-3)
    return false;
  shape.kind = PortShape::Kind::circle;
  shape.origin = centre;
  shape.height = shape.width;
  int axis = 0;  // the first global axis that is well inside the plane
  while (std::abs(outline.normal[axis]) > 0.7) ++axis;
  Point e{};
  e[axis] = 1;
  shape.u = normalized(e - dot(e, outline.normal) * outline.normal);
  shape.v = cross(outline.normal, shape.u);
  return true;
}

}  // namespace

std::optional<PortShape> detect_port_shape(const mesh::Mesh& mesh, const mesh::Region& surface,
                                           const std::string& port) {
  const Outline outline = outline_of(mesh, surface, port);
  PortShape shape{};
  if (fit_rectangle(mesh, outline, shape) || fit_circle(outline, shape)) return shape;
  return std::nullopt;
}

Vec3<double> in_plane(Vec3<double> direction, Vec3<double> normal, const std::string& what) {
  const Vec3<double> d = normalized(direction), part = d - dot(d, normal) * normal;
  if (norm(part) < 1e-3)
    throw InputError(
        fmt::format("{}: the direction ({:g}, {:g}, {:g}) is normal to the port's face: give one that "
                    "lies in it",
                    what, direction.x, direction.y, direction.z));
  return normalized(part);
}

}  // namespace curlew::fem
