// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/bisect.hpp"

#include <cmath>
#include <set>

#include "mesh/curved_parts.hpp"
#include "mesh/second_order.hpp"
#include "mesh/straighten.hpp"

namespace curlew::mesh {
namespace {

using Edge = std::pair<Index, Index>;

Edge edge_of(const Mesh& mesh, Index t, std::size_t e) {
  const auto [a, b] = triangle_edge_vertices[e];
  return {mesh.triangle(t)[a], mesh.triangle(t)[b]};  // ascending
}

/// The longest edge; for equal ones that of the greatest nodes, so that neighbours agree.
std::size_t edge_to_halve(const Mesh& mesh, Index t) {
  const auto rank = [&](std::size_t e) {
    const Edge edge = edge_of(mesh, t, e);
    return std::pair(norm(mesh.nodes[std::size_t(edge.first)] - mesh.nodes[std::size_t(edge.second)]), edge);
  };
  std::size_t longest = 0;
  for (std::size_t e = 1; e < 3; ++e)
    if (rank(e) > rank(longest)) longest = e;
  return longest;
}

/// The longest edges of triangles that are too large, and the edges that must be cut with them.
std::set<Edge> edges_to_cut(const Mesh& mesh, const std::vector<double>& sizes) {
  const double limit = std::pow(2, 0.25);  // a cut reduces sizes by sqrt(2): the nearer size is chosen
  std::set<Edge> cut;
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    if (triangle_size(mesh, t) > limit * sizes[std::size_t(t)])
      cut.insert(edge_of(mesh, t, edge_to_halve(mesh, t)));
  for (bool changed = true; changed;) {
    changed = false;
    for (Index t = 0; t < mesh.num_triangles(); ++t)
      for (std::size_t e = 0; e < 3; ++e)
        if (cut.count(edge_of(mesh, t, e)) != 0)
          changed |= cut.insert(edge_of(mesh, t, edge_to_halve(mesh, t))).second;
  }
  return cut;
}

/// Corners of the parts of a triangle as local nodes, of which 3 + e is the middle of edge e.
std::vector<std::array<int, 3>> parts_of(const Mesh& mesh, Index t, const std::set<Edge>& cut) {
  const std::size_t longest = edge_to_halve(mesh, t);
  if (cut.count(edge_of(mesh, t, longest)) == 0) return {{0, 1, 2}};
  const int middle = 3 + int(longest);
  const auto [a, b] = triangle_edge_vertices[longest];
  const int opposite = 3 - a - b;
  std::vector<std::array<int, 3>> parts;
  for (const int end : {a, b}) {
    std::size_t side = 0;
    while (triangle_edge_vertices[side] != std::array{std::min(end, opposite), std::max(end, opposite)})
      ++side;
    const int other = 3 + int(side);
    if (cut.count(edge_of(mesh, t, side)) == 0)
      parts.push_back({end, middle, opposite});
    else
      parts.push_back({end, middle, other}), parts.push_back({opposite, middle, other});
  }
  return parts;
}

/// One round. @param[in,out] sizes of the triangles before, then of their parts
Mesh cut_once(const Mesh& mesh, const std::set<Edge>& cut, std::vector<double>& sizes) {
  CurvedParts finer(mesh);
  std::vector<double> own;
  std::vector<Index> first{0};
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    for (const auto& part : parts_of(mesh, t, cut)) {
      finer.add_triangle(t, part);
      own.push_back(sizes[std::size_t(t)]);
    }
    first.push_back(Index(own.size()));
  }
  std::vector<Region> surfaces;
  for (const auto& region : mesh.surfaces) {
    surfaces.push_back({region.name, {}});
    for (const Index t : region.entities)
      for (Index part = first[std::size_t(t)]; part < first[std::size_t(t) + 1]; ++part)
        surfaces.back().entities.push_back(part);
  }
  sizes = std::move(own);
  return finer.finish({}, std::move(surfaces));
}

}  // namespace

Mesh bisected(const SizeField& field) {
  Mesh mesh = second_order(field.mesh);
  std::vector<double> sizes = field.sizes;
  for (auto cut = edges_to_cut(mesh, sizes); !cut.empty(); cut = edges_to_cut(mesh, sizes))
    mesh = cut_once(mesh, cut, sizes);
  return field.mesh.geometry_order == 2 ? mesh : corners_only(mesh, mesh.nodes);
}

}  // namespace curlew::mesh
