// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/refine.hpp"

#include <algorithm>

#include "mesh/curved_parts.hpp"
#include "mesh/facet_gap.hpp"
#include "mesh/second_order.hpp"
#include "mesh/straighten.hpp"

namespace curlew::mesh {
namespace {

using Point = Vec3<double>;

void add_triangle(CurvedParts& finer, Index t) {
  constexpr std::array<std::array<int, 3>, 4> parts{{{0, 3, 4}, {1, 3, 5}, {2, 4, 5}, {3, 4, 5}}};
  for (const auto& part : parts) finer.add_triangle(t, part);
}

void add_cell(CurvedParts& finer, const Mesh& old, Index c) {
  const CellOf cell{old.cell(c), cell_edge_vertices};
  constexpr std::array<std::array<int, 4>, 4> ends{{{0, 4, 5, 6}, {1, 4, 7, 8}, {2, 5, 7, 9}, {3, 6, 8, 9}}};
  for (const auto& part : ends) finer.add_cell(cell, part);
  // Diagonals of the octahedron, each with the ring of the other four around it.
  constexpr std::array<std::array<int, 6>, 3> axes{
      {{4, 9, 5, 6, 8, 7}, {5, 8, 4, 6, 9, 7}, {6, 7, 4, 5, 9, 8}}};
  const auto length = [&](const std::array<int, 6>& axis) {
    return norm(old.nodes[cell.nodes[axis[0]]] - old.nodes[cell.nodes[axis[1]]]);
  };
  const auto& axis = *std::min_element(axes.begin(), axes.end(),
                                       [&](const auto& a, const auto& b) { return length(a) < length(b); });
  for (std::size_t i = 0; i < 4; ++i)
    finer.add_cell(cell, std::array{axis[0], axis[1], axis[2 + i], axis[2 + (i + 1) % 4]});
}

std::vector<Region> multiplied(const std::vector<Region>& regions, Index parts) {
  std::vector<Region> out;
  for (const auto& region : regions) {
    out.push_back({region.name, {}});
    for (const Index e : region.entities)
      for (Index i = 0; i < parts; ++i) out.back().entities.push_back(parts * e + i);
  }
  return out;
}

}  // namespace

Mesh refine(const Mesh& mesh) {
  CurvedParts parts(mesh);
  for (Index c = 0; c < mesh.num_cells(); ++c) add_cell(parts, mesh, c);
  for (Index t = 0; t < mesh.num_triangles(); ++t) add_triangle(parts, t);
  return parts.finish(multiplied(mesh.volumes, 8), multiplied(mesh.surfaces, 4));
}

Mesh refined_flat(const Mesh& mesh) {
  if (mesh.geometry_order == 2) return straighten(refine(mesh));
  const Mesh finer = refine(second_order(mesh));
  return corners_only(finer, finer.nodes);
}

std::vector<Point> flat_gaps(const Mesh& mesh) {
  const auto gaps = facet_gaps(mesh);
  return mesh.geometry_order == 1 ? gaps : corners_only(mesh, gaps).nodes;
}

std::optional<Mesh> moved_flat(const Mesh& mesh) {
  if (mesh.geometry_order == 1) return std::nullopt;
  const auto gaps = facet_gaps(mesh);
  if (std::all_of(gaps.begin(), gaps.end(), [](const Point& gap) { return norm(gap) == 0; }))
    return std::nullopt;
  Mesh moved = mesh;
  for (std::size_t i = 0; i < gaps.size(); ++i) moved.nodes[i] += gaps[i];
  return straighten(moved);
}

}  // namespace curlew::mesh
