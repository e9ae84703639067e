// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/closed_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::mesh {

namespace {

/// An edge of a triangle; `direction` is -1 where the triangle's circulation runs from the higher node to the
/// lower.
struct HalfEdge {
  Index a, b;
  Index triangle;  // index in the list
  int direction;
  bool operator<(const HalfEdge& o) const { return a != o.a ? a < o.a : b < o.b; }
  bool same_edge(const HalfEdge& o) const { return a == o.a && b == o.b; }
};

std::vector<HalfEdge> sorted_half_edges(const Mesh& mesh, std::span<const Index> triangles) {
  std::vector<HalfEdge> edges;
  edges.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Index* n = mesh.triangle(triangles[t]);  // ascending: the circulation is n0 n1, n1 n2, n2 n0
    edges.push_back({n[0], n[1], Index(t), 1});
    edges.push_back({n[1], n[2], Index(t), 1});
    edges.push_back({n[0], n[2], Index(t), -1});
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

struct Neighbour {
  Index triangle = -1;
  int relation = 0;  // +1 if both normals are on the same side
};

std::vector<Neighbour> find_neighbours(const Mesh& mesh, std::span<const Index> triangles,
                                       const std::string& what, const SurfaceEnds& ends) {
  const auto edges = sorted_half_edges(mesh, triangles);
  std::vector<Neighbour> neighbours(3 * triangles.size());
  std::vector<int> filled(triangles.size(), 0);
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end].same_edge(edges[i])) ++end;
    const Vec3<double> middle = 0.5 * (mesh.nodes[edges[i].a] + mesh.nodes[edges[i].b]);
    const bool may_end = ends.on_plane && ends.on_plane(mesh.nodes[edges[i].a]) &&
                         ends.on_plane(mesh.nodes[edges[i].b]) && ends.on_plane(middle);
    if (end - i > 2)
      throw InputError(
          fmt::format("{}: {} triangles meet in one edge at ({:.4g}, {:.4g}, {:.4g}) m; "
                      "a closed surface has two",
                      what, end - i, middle.x, middle.y, middle.z));
    if (end - i == 1 && !may_end)
      throw InputError(fmt::format("{} is not closed: it has an open edge at ({:.4g}, {:.4g}, {:.4g}) m",
                                   what, middle.x, middle.y, middle.z));
    if (end - i == 2) {
      const HalfEdge &p = edges[i], &q = edges[i + 1];
      const int relation = p.direction == q.direction ? -1 : 1;  // neighbours traverse edges oppositely
      neighbours[3 * p.triangle + filled[p.triangle]++] = {q.triangle, relation};
      neighbours[3 * q.triangle + filled[q.triangle]++] = {p.triangle, relation};
    }
    i = end;
  }
  return neighbours;
}

/// Six times the volume that one triangle spans with the origin, signed by its normal.
double spanned_volume(const Mesh& mesh, Index triangle, Vec3<double> origin) {
  const Index* n = mesh.triangle(triangle);
  const Vec3<double> a = mesh.nodes[n[0]] - origin, b = mesh.nodes[n[1]] - origin,
                     c = mesh.nodes[n[2]] - origin;
  return dot(a, cross(b, c));
}

}  // namespace

std::vector<int> outward_sides(const Mesh& mesh, std::span<const Index> triangles, const std::string& what,
                               const SurfaceEnds& ends) {
  if (triangles.empty()) throw InputError(fmt::format("{} has no triangles", what));
  const auto neighbours = find_neighbours(mesh, triangles, what, ends);
  std::vector<int> sides(triangles.size(), 0);
  std::vector<Index> piece;
  for (std::size_t seed = 0; seed < triangles.size(); ++seed) {
    if (sides[seed] != 0) continue;
    piece.assign(1, Index(seed));
    sides[seed] = 1;
    double volume = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const Index t = piece[i];
      volume += sides[t] * spanned_volume(mesh, triangles[t], ends.origin);
      for (int e = 0; e < 3; ++e) {
        const Neighbour& next = neighbours[3 * t + e];
        if (next.triangle < 0 || sides[next.triangle] != 0) continue;
        sides[next.triangle] = sides[t] * next.relation;
        piece.push_back(next.triangle);
      }
    }
    if (volume < 0)
      for (const Index t : piece) sides[t] = -sides[t];
  }
  return sides;
}

double solid_angle(const Mesh& mesh, std::span<const Index> triangles, std::span<const int> sides,
                   Vec3<double> point) {
  double sum = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Index* n = mesh.triangle(triangles[t]);
    const Vec3<double> a = mesh.nodes[n[0]] - point, b = mesh.nodes[n[1]] - point,
                       c = mesh.nodes[n[2]] - point;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    const double under = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    sum += 2 * sides[t] * std::atan2(dot(a, cross(b, c)), under);
  }
  return sum;
}

}  // namespace curlew::mesh
