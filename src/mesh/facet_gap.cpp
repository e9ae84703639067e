// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/facet_gap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace curlew::mesh {
namespace {

using Point = Vec3<double>;

struct Facet {
  std::array<Index, 3> vertices;
  Point normal;
  double area;
  bool moves;
  std::array<Point, 3> corner_normals{};  ///< of the smooth surface, on the side of `normal`
};

/// A facet around a vertex, and the corner that it has there.
struct Corner {
  Index facet;
  int place;
};

int place_of(const Facet& facet, Index vertex) {
  return int(std::find(facet.vertices.begin(), facet.vertices.end(), vertex) - facet.vertices.begin());
}

std::vector<Facet> make_facets(const Mesh& mesh, const Topology& topology,
                               const std::vector<SurfaceFace>& faces) {
  std::vector<Facet> facets;
  for (const auto& [face, moves] : faces) {
    const auto& v = topology.faces[std::size_t(face)];
    const Point o = mesh.nodes[std::size_t(v[0])];
    const Point n = cross(mesh.nodes[std::size_t(v[1])] - o, mesh.nodes[std::size_t(v[2])] - o);
    facets.push_back({v, normalized(n), 0.5 * norm(n), moves});
  }
  return facets;
}

double corner_angle(const Mesh& mesh, const Facet& facet, int place) {
  const Point o = mesh.nodes[std::size_t(facet.vertices[std::size_t(place)])];
  const Point a = normalized(mesh.nodes[std::size_t(facet.vertices[std::size_t((place + 1) % 3)])] - o);
  const Point b = normalized(mesh.nodes[std::size_t(facet.vertices[std::size_t((place + 2) % 3)])] - o);
  return std::acos(std::clamp(dot(a, b), -1.0, 1.0));
}

/// +1 or -1 if two facets with the common edge continue each other smoothly, by the sense of their normals; 0
/// where they meet in an edge of the body.
int continuation(const Mesh& mesh, const Facet& f, const Facet& g, Index a, Index b) {
  const auto outward = [&](const Facet& facet) {  // from the edge into the facet, normal to the edge
    Index third = facet.vertices[0];
    for (const Index v : facet.vertices)
      if (v != a && v != b) third = v;
    const Point edge = normalized(mesh.nodes[std::size_t(b)] - mesh.nodes[std::size_t(a)]);
    const Point arm = mesh.nodes[std::size_t(third)] - mesh.nodes[std::size_t(a)];
    return normalized(arm - dot(arm, edge) * edge);
  };
  if (-dot(outward(f), outward(g)) < std::cos(smooth_turn)) return 0;
  return dot(f.normal, g.normal) > 0 ? 1 : -1;
}

/// One smooth surface at a vertex: its facets there, with the sense of their normals against the group's.
struct Group {
  std::vector<std::pair<Corner, int>> corners;
  Point normal{};
};

std::vector<Group> smooth_groups(const Mesh& mesh, const std::vector<Facet>& facets, Index vertex,
                                 const std::vector<Corner>& around) {
  std::vector<Group> groups;
  std::vector<char> seen(around.size(), 0);
  for (std::size_t s = 0; s < around.size(); ++s) {
    if (seen[s]) continue;
    Group group{{{around[s], 1}}};
    seen[s] = 1;
    for (std::size_t i = 0; i < group.corners.size(); ++i) {
      const auto [corner, sense] = group.corners[i];
      const Facet& f = facets[std::size_t(corner.facet)];
      for (std::size_t j = 0; j < around.size(); ++j) {
        if (seen[j]) continue;
        const Facet& g = facets[std::size_t(around[j].facet)];
        for (const Index other : f.vertices) {
          if (other == vertex || place_of(g, other) == 3) continue;
          const int same = continuation(mesh, f, g, vertex, other);
          if (same == 0) continue;
          seen[j] = 1;
          group.corners.push_back({around[j], sense * same});
          break;
        }
      }
    }
    for (const auto& [corner, sense] : group.corners) {
      const Facet& f = facets[std::size_t(corner.facet)];
      group.normal += (sense * corner_angle(mesh, f, corner.place)) * f.normal;
    }
    group.normal = normalized(group.normal);
    groups.push_back(std::move(group));
  }
  return groups;
}

/// Whether a facet of a mesh of second order follows the surface: its middle nodes have half of the heights
/// that the normals ask for.
bool follows_surface(double asked, double actual) {
  return std::abs(actual) > 0.5 * std::abs(asked);
}

/// Middle nodes of the edges of a mesh of second order, by the edge's vertices.
std::unordered_map<long long, Index> middle_nodes(const Mesh& mesh) {
  std::unordered_map<long long, Index> middles;
  if (mesh.geometry_order == 1) return middles;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const Index* n = mesh.cell(c);
    for (std::size_t e = 0; e < 6; ++e) {
      const auto [a, b] = cell_edge_vertices[e];
      middles[(long long)(n[a]) << 32 | n[b]] = n[4 + e];
    }
  }
  return middles;
}

/// Height of the surface over the facet on the side of its normal, mean over its area.
double mean_gap(const Mesh& mesh, const Facet& f, const std::unordered_map<long long, Index>& middles) {
  double height = 0, actual = 0, squares = 0;
  for (const auto& [i, j] : triangle_edge_vertices) {
    const Index a = f.vertices[std::size_t(i)], b = f.vertices[std::size_t(j)];
    const Point edge = mesh.nodes[std::size_t(b)] - mesh.nodes[std::size_t(a)];
    height += dot(f.corner_normals[std::size_t(j)] - f.corner_normals[std::size_t(i)], edge) / 24;
    squares += dot(edge, edge);
    if (middles.empty()) continue;
    const Index middle = middles.at((long long)(a) << 32 | b);
    const Point straight = 0.5 * (mesh.nodes[std::size_t(a)] + mesh.nodes[std::size_t(b)]);
    actual += dot(mesh.nodes[std::size_t(middle)] - straight, f.normal) / 3;
  }
  if (middles.empty() || !follows_surface(height, actual)) return height;
  return 3.0 / 8 * height * height * (24 * height / squares);
}

/// The shortest d with d·n = δ for all surfaces that meet in the node, by regularised normal equations: with
/// fewer than three surfaces the rest of d is free, with more the residual is least.
Point displacement_of(const std::vector<std::pair<Point, double>>& conditions) {
  constexpr double regularisation = 1e-4;  // the determinant, its square, stays far above rounding
  std::array<Point, 3> columns{Point{regularisation, 0, 0}, Point{0, regularisation, 0},
                               Point{0, 0, regularisation}};
  Point right{};
  for (const auto& [normal, gap] : conditions) {
    for (int k = 0; k < 3; ++k) columns[std::size_t(k)] += normal[k] * normal;
    right += gap * normal;
  }
  const Point bc = cross(columns[1], columns[2]);
  const double determinant = dot(columns[0], bc);
  return (1 / determinant) * Point{dot(right, bc), dot(right, cross(columns[2], columns[0])),
                                   dot(right, cross(columns[0], columns[1]))};
}

}  // namespace

std::vector<Vec3<double>> facet_gaps(const Mesh& mesh, const Topology& topology,
                                     const std::vector<SurfaceFace>& faces) {
  std::vector<Facet> facets = make_facets(mesh, topology, faces);
  std::unordered_map<Index, std::vector<Corner>> around;
  for (std::size_t f = 0; f < facets.size(); ++f)
    for (int i = 0; i < 3; ++i) around[facets[f].vertices[std::size_t(i)]].push_back({Index(f), i});
  std::unordered_map<Index, std::vector<Group>> groups;
  for (const auto& [vertex, corners] : around) {
    groups[vertex] = smooth_groups(mesh, facets, vertex, corners);
    for (const Group& group : groups[vertex])
      for (const auto& [corner, sense] : group.corners)
        facets[std::size_t(corner.facet)].corner_normals[std::size_t(corner.place)] = sense * group.normal;
  }
  const auto middles = middle_nodes(mesh);
  std::vector<double> gaps;
  for (const Facet& f : facets) gaps.push_back(f.moves ? mean_gap(mesh, f, middles) : 0);
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
    result[std::size_t(vertex)] = displacement_of(conditions);
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

}  // namespace curlew::mesh
