// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/second_order.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "mesh/corner_normals.hpp"
#include "mesh/surface_facets.hpp"

namespace curlew::mesh {
namespace {

using Point = Vec3<double>;
using Edge = std::pair<Index, Index>;  // ascending

/// Conditions of an edge's facets on its middle node, and the number of facets.
struct AtEdge {
  std::vector<std::pair<Point, double>> conditions;
};

std::map<Edge, AtEdge> conditions_of(const Mesh& mesh) {
  std::vector<NormalFacet> facets;
  for (const auto& f : surface_facets(mesh)) facets.push_back(normal_facet(mesh, f.corner));
  smooth_groups(mesh, facets);
  std::map<Edge, AtEdge> edges;
  for (const auto& f : facets) {
    for (const auto& [i, j] : triangle_edge_vertices) {
      const auto [a, b] = std::minmax(f.vertices[std::size_t(i)], f.vertices[std::size_t(j)]);
      const Point along = mesh.nodes[b] - mesh.nodes[a];
      const Point& start = f.corner_normals[std::size_t(f.vertices[std::size_t(i)] == a ? i : j)];
      const Point& end = f.corner_normals[std::size_t(f.vertices[std::size_t(i)] == a ? j : i)];
      edges[{a, b}].conditions.push_back({normalized(start + end), dot(end - start, along) / 8});
    }
  }
  return edges;
}

/// The other edge of a rim at a vertex; none at corners and branches.
class Rim {
 public:
  Rim(const Mesh& mesh, const std::map<Edge, AtEdge>& edges) : mesh_(mesh) {
    for (const auto& [edge, at] : edges) {
      if (at.conditions.size() != 1) continue;
      neighbours_[edge.first].push_back(edge.second);
      neighbours_[edge.second].push_back(edge.first);
    }
  }
  /// Displacement of the middle of a rim's edge from the chord.
  Point bow(const Edge& edge) const {
    const Point chord = mesh_.nodes[edge.second] - mesh_.nodes[edge.first];
    return (norm(chord) / 8) * (tangent(edge.first, chord) - tangent(edge.second, chord));
  }

 private:
  /// Mean direction of the two edges of the rim at a vertex, along a chord that ends there; the chord's own
  /// where the rim has a corner.
  Point tangent(Index vertex, const Point& chord) const {
    const Point own = normalized(chord);
    const auto there = neighbours_.find(vertex);
    if (there == neighbours_.end() || there->second.size() != 2) return own;
    const Point sum = normalized(mesh_.nodes[there->second[0]] - mesh_.nodes[vertex]) -
                      normalized(mesh_.nodes[there->second[1]] - mesh_.nodes[vertex]);
    const Point mean = dot(sum, own) < 0 ? -1.0 * sum : sum;
    const bool is_smooth = norm(mean) > 2 * std::cos(0.5 * smooth_turn);
    return is_smooth ? normalized(mean) : own;
  }

  const Mesh& mesh_;
  std::map<Index, std::vector<Index>> neighbours_;
};

}  // namespace

Mesh second_order(const Mesh& straight) {
  if (straight.geometry_order == 2) return straight;
  Mesh mesh = straight;
  mesh.geometry_order = 2;
  const auto edges = conditions_of(straight);
  const Rim rim(straight, edges);
  std::map<Edge, Index> middles;
  const auto middle = [&](Index a, Index b) {
    const auto [place, is_new] = middles.try_emplace(std::minmax(a, b), Index(mesh.nodes.size()));
    if (!is_new) return place->second;
    Point node = 0.5 * (straight.nodes[a] + straight.nodes[b]);
    if (const auto at = edges.find(place->first); at != edges.end()) {
      node += shortest_displacement(at->second.conditions);
      if (at->second.conditions.size() == 1) {  // the rim's own bow lies in the surface
        const Point normal = at->second.conditions[0].first, bow = rim.bow(place->first);
        node += bow - dot(bow, normal) * normal;
      }
    }
    mesh.nodes.push_back(node);
    return place->second;
  };
  mesh.cells.clear(), mesh.triangles.clear();
  for (Index c = 0; c < straight.num_cells(); ++c) {
    const Index* n = straight.cell(c);
    mesh.cells.insert(mesh.cells.end(), n, n + 4);
    for (const auto& [i, j] : cell_edge_vertices) mesh.cells.push_back(middle(n[i], n[j]));
  }
  for (Index t = 0; t < straight.num_triangles(); ++t) {
    const Index* n = straight.triangle(t);
    mesh.triangles.insert(mesh.triangles.end(), n, n + 3);
    for (const auto& [i, j] : triangle_edge_vertices) mesh.triangles.push_back(middle(n[i], n[j]));
  }
  return mesh;
}

}  // namespace curlew::mesh
