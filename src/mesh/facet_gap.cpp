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

/// Part of the height of an arc that its middle node lacks, where the arc was flattened so that no cell folds
/// over: half of an eighth, the step of flatten_inverted.
constexpr double flattened = 1.0 / 16;

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

/// The chord of a facet's edge, how far the surface turns along it towards the facet's normal, and the height
/// of its arc over the chord [m], of a circle.
struct Arc {
  Index a, b;
  Point chord, normal;  // that at the top
  double turn, height;

  Arc(const Mesh& mesh, const Facet& f, std::size_t i, std::size_t j)
      : a(f.vertices[i]),
        b(f.vertices[j]),
        chord(mesh.nodes[std::size_t(b)] - mesh.nodes[std::size_t(a)]),
        normal(0.5 * (f.corner_normals[i] + f.corner_normals[j])),
        turn(dot(f.corner_normals[j] - f.corner_normals[i], chord)),
        height(turn / (4 * (1 + norm(normal)))) {}  // the mean of unit normals has length cos θ/2
  double curvature() const { return turn / dot(chord, chord); }
  /// Mean height over a parabola through three points of it.
  double gap() const { return curvature() * height * height / 15; }
};

/// Normals of curved facets at their corners, from the tangents there of circles through the nodes of their
/// edges: a parabola through three points of an arc of 60 degrees turns 6 % less than the arc. Where two
/// edges continue each other, as on one circle, they give no normal, and that of the facet stays.
void take_own_normals(const Mesh& mesh, const MiddleNodes& middles, std::vector<Facet>& facets) {
  constexpr double least_sine = 0.1;
  for (Facet& f : facets)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto tangent = [&](std::size_t j) {
        const Point a = mesh.nodes[std::size_t(f.vertices[i])], b = mesh.nodes[std::size_t(f.vertices[j])];
        const Point chord = 0.5 * (b - a),
                    rise = mesh.nodes[std::size_t(middles.at(key_of(f.vertices[i], f.vertices[j])))] -
                           0.5 * (a + b);
        return (1 - dot(rise, rise) / dot(chord, chord)) * chord + 2.0 * rise;
      };
      const Point one = tangent((i + 1) % 3), other = tangent((i + 2) % 3), normal = cross(one, other);
      if (norm(normal) > least_sine * norm(one) * norm(other)) f.own_normals[i] = normalized(normal);
    }
}

/// At the tip of a cone a surface has no normal: there each facet keeps its own, and generators are straight.
void keep_own_at_tips(std::vector<Facet>& facets) {
  for (Facet& f : facets)
    for (std::size_t i = 0; i < 3; ++i)
      if (dot(f.corner_normals[i], f.own_normals[i]) < std::cos(smooth_turn / 2))
        f.corner_normals[i] = f.own_normals[i];
}

/// Height of the surface over a flat facet on the side of its normal, mean over its area.
double flat_gap(const Mesh& mesh, const Facet& f) {
  double height = 0;
  for (const auto& [i, j] : triangle_edge_vertices)
    height += Arc(mesh, f, std::size_t(i), std::size_t(j)).turn / 24;
  return height;
}

/// The same over a facet of second order whose middle nodes are on the surface normally above the middles of
/// chords: the first term of a series in the size of the facet. With x the position relative to the mean of
/// the vertices, and g = K x the change of the normal, the height of the surface is -xᵀg/2 - xᵀg gᵀg/8, exact
/// for balls and cylinders. The mean of the last term over the facet, less its values at middle nodes, and
/// the mean of the slope g times the offsets of middle nodes from the middles of edges are sums of products
/// of A = xᵀg and B = gᵀg.
double curved_gap(const Mesh& mesh, const Facet& f) {
  std::array<Point, 3> x, g;
  const auto& n = f.corner_normals;
  for (std::size_t i = 0; i < 3; ++i) {
    x[i] = mesh.nodes[std::size_t(f.vertices[i])];
    g[i] = n[i] - 1.0 / 3 * (n[0] + n[1] + n[2]);
  }
  const Point mean = 1.0 / 3 * (x[0] + x[1] + x[2]);
  double trace_a = 0, trace_b = 0, products = 0, diagonal = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = dot(x[i] - mean, g[i]), b = dot(g[i], g[i]);
    trace_a += a, trace_b += b, diagonal += a * b;
    for (std::size_t j = 0; j < 3; ++j) products += dot(x[i] - mean, g[j]) * dot(g[i], g[j]);
  }
  // Across the edge opposite to i the surface turns by 2 tr A - 3 A_ii.
  const double beside = 2 * trace_a * trace_b - 3 * diagonal;
  return beside / 160 + diagonal / 384 - (6 * diagonal + trace_a * trace_b + 2 * products) / 2880;
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
      edge.gap = moves[f] ? sense * arc.gap() : 0;
    }
  }
  double sum = 0, number = 0;
  for (const auto& [vertex, edge] : edges)
    if (edge.facets == 1) sum += edge.gap, ++number;
  return number > 0 ? sum / number : inside;
}

/// From the middle node of a flattened edge to its arc; 0 of others.
Point lacking(const Mesh& mesh, const Arc& arc, Index middle) {
  const Point normal = normalized(arc.normal);
  const Point rise = mesh.nodes[std::size_t(middle)] -
                     0.5 * (mesh.nodes[std::size_t(arc.a)] + mesh.nodes[std::size_t(arc.b)]);
  const double along = 2 * dot(rise, arc.chord) / dot(arc.chord, arc.chord);  // of half of the chord
  const double asked = arc.height * (1 - along * along), lacks = asked - dot(rise, normal);
  const bool is_arc = std::abs(asked) > 1e-3 * norm(arc.chord);
  return is_arc && lacks / asked > flattened && lacks / asked < 1.1 ? lacks * normal : Point{};
}

/// A facet at an edge.
struct Side {
  std::size_t facet;
  Arc arc;
};

/// Facets at edges with middle nodes, by the edge's key.
std::unordered_map<long long, std::vector<Side>> sides_of_edges(const Mesh& mesh,
                                                                const std::vector<Facet>& facets,
                                                                const MiddleNodes& middles) {
  std::unordered_map<long long, std::vector<Side>> sides;
  for (std::size_t f = 0; f < facets.size() && !middles.empty(); ++f)
    for (const auto& [i, j] : triangle_edge_vertices) {
      const Arc arc(mesh, facets[f], std::size_t(i), std::size_t(j));
      sides[key_of(arc.a, arc.b)].push_back({f, arc});
    }
  return sides;
}

/// Normals and gaps at the middle of an edge: the mean of two facets of a smooth surface, so that each facet
/// is moved by its own gap, those at rims too; where a surface ends, that of the edge's arc.
std::vector<std::pair<Point, double>> gaps_at(const std::vector<Side>& sides,
                                              const std::vector<Facet>& facets,
                                              const std::vector<double>& gaps,
                                              const std::vector<bool>& moves) {
  constexpr double parallel = 1e-9;
  std::vector<std::pair<Point, double>> conditions;
  std::vector<char> seen(sides.size(), 0);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (seen[i]) continue;
    const auto& [f, arc] = sides[i];
    const Point normal = normalized(arc.normal);
    double volume = facets[f].area * gaps[f], area = facets[f].area;
    bool is_end = true;
    for (std::size_t j = i + 1; j < sides.size(); ++j) {
      const std::size_t g = sides[j].facet;
      const Point other = normalized(sides[j].arc.normal);
      if (seen[j] || facets[f].surface != facets[g].surface || norm(cross(normal, other)) > parallel)
        continue;
      const double sense = dot(normal, other) > 0 ? 1 : -1;
      volume += sense * facets[g].area * gaps[g], area += facets[g].area;
      seen[j] = 1, is_end = false;
    }
    const double at_end = moves[f] ? arc.gap() : 0;
    conditions.push_back({normal, is_end ? at_end : volume / area});
  }
  return conditions;
}

/// Facets of plane walls [facets]: those that surround a vertex in one plane, which those of a cylinder, a
/// cone or a convex surface through all vertices do not, and those that continue them in this plane.
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
  if (is_curved) keep_own_at_tips(facets);
  const auto is_plane = on_plane_walls(mesh, facets, groups);
  std::vector<double> gaps;
  for (std::size_t f = 0; f < facets.size(); ++f) {
    moves[f] = moves[f] && !is_plane[f];
    gaps.push_back(!moves[f] ? 0 : is_curved ? curved_gap(mesh, facets[f]) : flat_gap(mesh, facets[f]));
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
  for (const auto& [edge, sides] : sides_of_edges(mesh, facets, middles)) {
    const Index middle = middles.at(edge);
    std::vector<std::pair<Point, double>> lifts;
    for (const Side& side : sides) {
      const Point lift = moves[side.facet] ? lacking(mesh, side.arc, middle) : Point{};
      if (norm(lift) > 0) lifts.push_back({normalized(lift), norm(lift)});
    }
    result[std::size_t(middle)] =
        shortest_displacement(gaps_at(sides, facets, gaps, moves)) + shortest_displacement(lifts);
  }
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
