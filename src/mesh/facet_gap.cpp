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

/// Gap at the rim of second-order facets, at an edge of the body, relative to that of the facets: a parabola
/// through three points of a circle lies κδ²/15 from it on average, δ the height of the arc, and a facet 3/8
/// κδ².
constexpr double rim_share = (1.0 / 15) / (3.0 / 8);

/// Whether a facet of a mesh of second order follows the surface: its middle nodes have at least half of the
/// heights that follow from the normals.
bool follows_surface(double asked, double actual) {
  return std::abs(actual) > 0.5 * std::abs(asked);
}

/// Middle nodes of edges between vertices of facets in a mesh of second order, by the edge's vertices.
std::unordered_map<long long, Index> middle_nodes(const Mesh& mesh, const std::vector<Facet>& facets) {
  std::unordered_map<long long, Index> middles;
  if (mesh.geometry_order == 1) return middles;
  std::vector<char> is_corner(mesh.nodes.size(), 0);  // most edges of a mesh are not on a surface
  for (const Facet& f : facets)
    for (const Index vertex : f.vertices) is_corner[std::size_t(vertex)] = 1;
  const auto add = [&](Index a, Index b, Index middle) {
    if (is_corner[std::size_t(a)] && is_corner[std::size_t(b)]) middles[(long long)(a) << 32 | b] = middle;
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

/// Height of the surface over the facet on the side of its normal, mean over its area. The curvature beside
/// the height is that of the edges, weighted by their heights: along a cylinder's axis there is none.
double mean_gap(const Mesh& mesh, const Facet& f, const std::unordered_map<long long, Index>& middles) {
  double height = 0, actual = 0, curved = 0;
  for (const auto& [i, j] : triangle_edge_vertices) {
    const Index a = f.vertices[std::size_t(i)], b = f.vertices[std::size_t(j)];
    const Point edge = mesh.nodes[std::size_t(b)] - mesh.nodes[std::size_t(a)];
    const double turn = dot(f.corner_normals[std::size_t(j)] - f.corner_normals[std::size_t(i)], edge);
    height += turn / 24;
    curved += turn * turn / (24 * dot(edge, edge));
    if (middles.empty()) continue;
    const Index middle = middles.at((long long)(a) << 32 | b);
    const Point straight = 0.5 * (mesh.nodes[std::size_t(a)] + mesh.nodes[std::size_t(b)]);
    actual += dot(mesh.nodes[std::size_t(middle)] - straight, f.normal) / 3;
  }
  if (middles.empty() || !follows_surface(height, actual)) return height;
  return 3.0 / 8 * height * curved;
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
std::vector<Vec3<double>> gaps_of(const Mesh& mesh, std::vector<Facet> facets,
                                  const std::vector<bool>& moves) {
  const auto groups = smooth_groups(mesh, facets);
  const auto middles = middle_nodes(mesh, facets);
  const auto is_exact = on_plane_walls(mesh, facets, groups);
  std::vector<double> gaps;
  for (std::size_t f = 0; f < facets.size(); ++f)
    gaps.push_back(moves[f] && !is_exact[f] ? mean_gap(mesh, facets[f], middles) : 0);
  std::vector<Vec3<double>> result(mesh.nodes.size());
  for (const auto& [vertex, there] : groups) {
    std::vector<std::pair<Point, double>> conditions;
    for (const Group& group : there) {
      double gap = 0, area = 0;
      for (const auto& [corner, sense] : group.corners) {
        const Facet& f = facets[std::size_t(corner.facet)];
        gap += sense * f.area * gaps[std::size_t(corner.facet)], area += f.area;
      }
      conditions.push_back({group.normal, gap / area});
    }
    const bool is_rim = there.size() > 1 && !middles.empty();
    result[std::size_t(vertex)] = (is_rim ? rim_share : 1) * shortest_displacement(conditions);
  }
  for (const Facet& f : facets) {
    for (const auto& [i, j] : triangle_edge_vertices) {
      const Index a = f.vertices[std::size_t(i)], b = f.vertices[std::size_t(j)];
      if (!middles.empty())
        result[std::size_t(middles.at((long long)(a) << 32 | b))] =
            0.5 * (result[std::size_t(a)] + result[std::size_t(b)]);
    }
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
  return gaps_of(mesh, std::move(facets), moves);
}

std::vector<Vec3<double>> facet_gaps(const Mesh& mesh) {
  std::vector<Facet> facets;
  for (const auto& facet : surface_facets(mesh)) facets.push_back(normal_facet(mesh, facet.corner));
  const std::vector<bool> moves(facets.size(), true);
  return gaps_of(mesh, std::move(facets), moves);
}

}  // namespace curlew::mesh
