// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/corner_normals.hpp"

#include <algorithm>
#include <cmath>

namespace curlew::mesh {
namespace {

using Point = Vec3<double>;
using Facet = NormalFacet;
using Corner = FacetCorner;
using Group = SmoothGroup;

int place_of(const Facet& facet, Index vertex) {
  return int(std::find(facet.vertices.begin(), facet.vertices.end(), vertex) - facet.vertices.begin());
}

/// +1 or -1 if two facets with the common edge continue each other smoothly, by the sense of their normals; 0
/// where they meet in an edge of the body.
int continuation(const Mesh& mesh, const Facet& f, const Facet& g, Index a, Index b) {
  if (f.surface != g.surface) return 0;
  const Point edge = mesh.nodes[std::size_t(b)] - mesh.nodes[std::size_t(a)];
  const auto normal_at_edge = [&](const Facet& facet) {
    return normalized(facet.own_normals[std::size_t(place_of(facet, a))] +
                      facet.own_normals[std::size_t(place_of(facet, b))]);
  };
  const Point nf = normal_at_edge(f), ng = normal_at_edge(g);
  const auto outward = [&](const Facet& facet, const Point& normal) {  // from the edge into the facet
    Index third = facet.vertices[0];
    for (const Index v : facet.vertices)
      if (v != a && v != b) third = v;
    const Point out = normalized(cross(normal, edge));
    return dot(out, mesh.nodes[std::size_t(third)] - mesh.nodes[std::size_t(a)]) < 0 ? -1.0 * out : out;
  };
  if (-dot(outward(f, nf), outward(g, ng)) < std::cos(smooth_turn)) return 0;
  return dot(nf, ng) > 0 ? 1 : -1;
}

std::vector<Group> groups_around(const Mesh& mesh, const std::vector<Facet>& facets, Index vertex,
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
      group.normal +=
          (sense * corner_angle(mesh, f, corner.place)) * f.own_normals[std::size_t(corner.place)];
    }
    group.normal = normalized(group.normal);
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

double corner_angle(const Mesh& mesh, const Facet& facet, int place) {
  const Point o = mesh.nodes[std::size_t(facet.vertices[std::size_t(place)])];
  const Point a = normalized(mesh.nodes[std::size_t(facet.vertices[std::size_t((place + 1) % 3)])] - o);
  const Point b = normalized(mesh.nodes[std::size_t(facet.vertices[std::size_t((place + 2) % 3)])] - o);
  return std::acos(std::clamp(dot(a, b), -1.0, 1.0));
}

NormalFacet normal_facet(const Mesh& mesh, const std::array<Index, 3>& v) {
  const Point o = mesh.nodes[std::size_t(v[0])];
  const Point n = cross(mesh.nodes[std::size_t(v[1])] - o, mesh.nodes[std::size_t(v[2])] - o);
  const Point unit = normalized(n);
  return {v, unit, 0.5 * norm(n), {unit, unit, unit}};
}

std::unordered_map<Index, std::vector<SmoothGroup>> smooth_groups(const Mesh& mesh,
                                                                  std::vector<NormalFacet>& facets) {
  std::unordered_map<Index, std::vector<Corner>> around;
  for (std::size_t f = 0; f < facets.size(); ++f)
    for (int i = 0; i < 3; ++i) around[facets[f].vertices[std::size_t(i)]].push_back({Index(f), i});
  std::unordered_map<Index, std::vector<Group>> groups;
  for (const auto& [vertex, corners] : around) {
    groups[vertex] = groups_around(mesh, facets, vertex, corners);
    for (const Group& group : groups[vertex])
      for (const auto& [corner, sense] : group.corners)
        facets[std::size_t(corner.facet)].corner_normals[std::size_t(corner.place)] = sense * group.normal;
  }
  return groups;
}

Vec3<double> shortest_displacement(const std::vector<std::pair<Vec3<double>, double>>& conditions) {
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

}  // namespace curlew::mesh
