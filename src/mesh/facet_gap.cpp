// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/facet_gap.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "base/constants.hpp"
#include "mesh/corner_normals.hpp"
#include "mesh/surface_facets.hpp"

namespace curlew::mesh {
namespace {

using Point = Vec3<double>;
using Facet = NormalFacet;
using Group = SmoothGroup;

/// Of the height of an arc that its middle node lacks, where the arc was flattened so that no cell folds
/// over; normals of the mesh give heights to some tenths.
constexpr double flattened = 0.3;

using MiddleNodes = std::unordered_map<long long, Index>;  // by the edge's vertices

long long key_of(Index a, Index b) {
  return (long long)(std::min(a, b)) << 32 | std::max(a, b);
}

/// Middle nodes of edges between vertices of facets in a mesh of second order.
MiddleNodes middle_nodes(const Mesh& mesh, const std::vector<Facet>& facets) {
  MiddleNodes middles;
  if (mesh.geometry_order == 1) return middles;
  std::vector<char> is_corner(mesh.nodes.size(), 0);  // most edges of a mesh are not on a surface
  for (const Facet& f : facets)
    for (const Index vertex : f.vertices) is_corner[std::size_t(vertex)] = 1;
  const auto add = [&](Index a, Index b, Index middle) {
    if (is_corner[std::size_t(a)] && is_corner[std::size_t(b)]) middles[key_of(a, b)] = middle;
  };
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    const Index* n = mesh.triangle(t);
    for (std::size_t e = 0; e < 3; ++e) {
      const auto [a, b] = triangle_edge_vertices[e];
      add(n[a], n[b], n[3 + e]);
    }
  }
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const Index* n = mesh.cell(c);
    for (std::size_t e = 0; e < 6; ++e) {
      const auto [a, b] = cell_edge_vertices[e];
      add(n[a], n[b], n[4 + e]);
    }
  }
  return middles;
}

/// The chord of a facet's edge, and how far the surface turns along it towards the facet's normal [m].
struct Arc {
  Index a, b;
  Point chord;
  double turn;

  Arc(const Mesh& mesh, const Facet& f, std::size_t i, std::size_t j)
      : a(f.vertices[i]),
        b(f.vertices[j]),
        chord(mesh.nodes[std::size_t(b)] - mesh.nodes[std::size_t(a)]),
        turn(dot(f.corner_normals[j] - f.corner_normals[i], chord)) {}
  double curvature() const { return turn / dot(chord, chord); }
};

/// Normals of curved facets at their corners, from the tangents 4 m - 3 a - b of their edges there.
void take_own_normals(const Mesh& mesh, const MiddleNodes& middles, std::vector<Facet>& facets) {
  for (Facet& f : facets)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto tangent = [&](std::size_t j) {
        const Index a = f.vertices[i], b = f.vertices[j];
        return 4.0 * mesh.nodes[std::size_t(middles.at(key_of(a, b)))] - 3.0 * mesh.nodes[std::size_t(a)] -
               mesh.nodes[std::size_t(b)];
      };
      f.own_normals[i] = normalized(cross(tangent((i + 1) % 3), tangent((i + 2) % 3)));
    }
}

/// Height of the surface over the facet on the side of its normal, mean over its area. The curvature beside
/// the height is that of the edges, weighted by their heights: along a cylinder's axis there is none.
double mean_gap(const Mesh& mesh, const Facet& f, bool is_curved) {
  double height = 0, curved = 0;
  for (const auto& [i, j] : triangle_edge_vertices) {
    const Arc arc(mesh, f, std::size_t(i), std::size_t(j));
    height += arc.turn / 24;
    curved += arc.turn * arc.curvature() / 24;
  }
  return is_curved ? 3.0 / 8 * height * curved : height;
}

/// Gap of second-order edges at the rim of a smooth surface beside a vertex: a parabola through three points
/// of a circle lies κδ²/15 from it on average, δ the height of the arc. @param inside where the surface has
/// no rim, as beside another surface that ends on it
double rim_gap(const Mesh& mesh, const std::vector<Facet>& facets, const std::vector<bool>& moves,
               const Group& group, double inside) {
  struct Edge {
    int facets;
    double gap;
  };
  std::unordered_map<Index, Edge> edges;  // by the other vertex
  for (const auto& [corner, sense] : group.corners) {
    const auto f = std::size_t(corner.facet), i = std::size_t(corner.place);
    for (const std::size_t j : {(i + 1) % 3, (i + 2) % 3}) {
      const Arc arc(mesh, facets[f], i, j);
      auto& edge = edges.try_emplace(arc.b, Edge{0, 0}).first->second;
      ++edge.facets;
      edge.gap = moves[f] ? sense * arc.curvature() * arc.turn * arc.turn / (64 * 15) : 0;
    }
  }
  double sum = 0, number = 0;
  for (const auto& [vertex, edge] : edges)
    if (edge.facets == 1) sum += edge.gap, ++number;
  return number > 0 ? sum / number : inside;
}

/// From the middle node of a flattened edge to the arc, of which turn / 4 (1 + cos θ/2) is the height, θ the
/// angle between the normals; 0 of others.
Point lacking(const Mesh& mesh, const Arc& arc, Point na, Point nb, Index middle) {
  const Point normal = normalized(na + nb);
  const double half = std::sqrt(std::max(0.0, 0.5 * (1 + dot(na, nb))));  // cos θ/2
  const double asked = arc.turn / (4 * (1 + half));
  const Point straight = 0.5 * (mesh.nodes[std::size_t(arc.a)] + mesh.nodes[std::size_t(arc.b)]);
  const double lacks = asked - dot(mesh.nodes[std::size_t(middle)] - straight, normal);
  const bool is_arc = std::abs(asked) > 1e-3 * norm(arc.chord);
  return is_arc && lacks / asked > flattened && lacks / asked < 1.1 ? lacks * normal : Point{};
}

/// Facets of plane walls [facets]: those that surround a vertex in one plane, which convex and developable
/// surfaces through all vertices do not, and those that continue them in this plane.
std::vector<bool> on_plane_walls(const Mesh& mesh, const std::vector<Facet>& facets,
                                 const std::unordered_map<Index, std::vector<Group>>& groups) {
  constexpr double same_plane = 1e-5;  // [rad]
  std::vector<bool> is_plane(facets.size(), false);
  std::vector<Index> next;
  const auto add = [&](const Group& group, const Point& normal) {
    for (const auto& [corner, sense] : group.corners) {
      const auto f = std::size_t(corner.facet);
      if (!is_plane[f] && norm(cross(facets[f].normal, normal)) < same_plane)
        is_plane[f] = true, next.push_back(corner.facet);
    }
  };
  for (const auto& [vertex, there] : groups)
    for (const Group& group : there) {
      double around = 0;
      for (const auto& [corner, sense] : group.corners) {
        const Facet& f = facets[std::size_t(corner.facet)];
        if (norm(cross(f.normal, group.normal)) < same_plane) around += corner_angle(mesh, f, corner.place);
      }
      if (std::abs(around - 2 * pi) < same_plane) add(group, group.normal);
    }
  while (!next.empty()) {
    const Facet& f = facets[std::size_t(next.back())];
    next.pop_back();
    for (const Index vertex : f.vertices)
      for (const Group& group : groups.at(vertex)) add(group, f.normal);
  }
  return is_plane;
}

/// @param moves [facets] false: the gap counts as 0
std::vector<Vec3<double>> gaps_of(const Mesh& mesh, std::vector<Facet> facets, std::vector<bool> moves) {
  const auto middles = middle_nodes(mesh, facets);
  const bool is_curved = !middles.empty();
  if (is_curved) take_own_normals(mesh, middles, facets);
  const auto groups = smooth_groups(mesh, facets);
  const auto is_plane = on_plane_walls(mesh, facets, groups);
  std::vector<double> gaps;
  for (std::size_t f = 0; f < facets.size(); ++f) {
    moves[f] = moves[f] && !is_plane[f];
    gaps.push_back(moves[f] ? mean_gap(mesh, facets[f], is_curved) : 0);
  }
  std::vector<Vec3<double>> result(mesh.nodes.size());
  for (const auto& [vertex, there] : groups) {
    std::vector<std::pair<Point, double>> conditions;
    const bool is_rim = there.size() > 1 && is_curved;
    for (const Group& group : there) {
      double gap = 0, area = 0;
      for (const auto& [corner, sense] : group.corners) {
        const Facet& f = facets[std::size_t(corner.facet)];
        gap += sense * f.area * gaps[std::size_t(corner.facet)], area += f.area;
      }
      conditions.push_back(
          {group.normal, is_rim ? rim_gap(mesh, facets, moves, group, gap / area) : gap / area});
    }
    result[std::size_t(vertex)] = shortest_displacement(conditions);
  }
  if (!is_curved) return result;
  std::unordered_map<Index, std::vector<std::pair<Point, double>>> flattened_at;  // by middle node
  for (std::size_t k = 0; k < facets.size(); ++k) {
    const Facet& f = facets[k];
    for (const auto& [i, j] : triangle_edge_vertices) {
      const Arc arc(mesh, f, std::size_t(i), std::size_t(j));
      const Index middle = middles.at(key_of(arc.a, arc.b));
      result[std::size_t(middle)] = 0.5 * (result[std::size_t(arc.a)] + result[std::size_t(arc.b)]);
      if (!moves[k]) continue;
      const Point lift =
          lacking(mesh, arc, f.corner_normals[std::size_t(i)], f.corner_normals[std::size_t(j)], middle);
      if (norm(lift) > 0) flattened_at[middle].push_back({normalized(lift), norm(lift)});
    }
  }
  for (const auto& [middle, lifts] : flattened_at)
    result[std::size_t(middle)] += shortest_displacement(lifts);
  return result;
}

}  // namespace

std::vector<Vec3<double>> facet_gaps(const Mesh& mesh, const Topology& topology,
                                     const std::vector<SurfaceFace>& faces) {
  std::vector<Facet> facets;
  std::vector<bool> moves;
  for (const auto& face : faces) {
    facets.push_back(normal_facet(mesh, topology.faces[std::size_t(face.face)]));
    facets.back().surface = face.moves;  // a port's face, oblique to the walls, does not continue them
    moves.push_back(face.moves);
  }
  return gaps_of(mesh, std::move(facets), std::move(moves));
}

std::vector<Vec3<double>> facet_gaps(const Mesh& mesh) {
  std::vector<Facet> facets;
  for (const auto& facet : surface_facets(mesh)) facets.push_back(normal_facet(mesh, facet.corner));
  const std::size_t all = facets.size();
  return gaps_of(mesh, std::move(facets), std::vector<bool>(all, true));
}

}  // namespace curlew::mesh
