// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/refine.hpp"
#include "mesh/jacobian.hpp"

#include <algorithm>
#include <map>

#include "mesh/facet_gap.hpp"
#include "mesh/second_order.hpp"
#include "mesh/straighten.hpp"

namespace curlew::mesh {
namespace {

using Point = Vec3<double>;

/// A triangle (3 corners) or a tetrahedron (4) of second order.
template <std::size_t corners>
struct Element {
  static constexpr std::size_t edges = corners * (corners - 1) / 2;
  const Index* nodes;  ///< corners, then middles
  const std::array<std::array<int, 2>, edges>& edge_corners;

  /// Barycentric coordinates of a node.
  std::array<double, corners> place(int node) const {
    std::array<double, corners> at{};
    if (std::size_t(node) < corners) {
      at[std::size_t(node)] = 1;
    } else {
      for (const int c : edge_corners[std::size_t(node) - corners]) at[std::size_t(c)] = 0.5;
    }
    return at;
  }
  Point evaluate(const Mesh& mesh, const std::array<double, corners>& at) const {
    return simplex_point(at, true, edge_corners, [&](int i) { return mesh.nodes[std::size_t(nodes[i])]; });
  }
};
using TriangleOf = Element<3>;
using CellOf = Element<4>;

class Refinement {
 public:
  explicit Refinement(const Mesh& mesh) : old_(mesh), new_(mesh) {
    new_.cells.clear(), new_.triangles.clear();
  }
  /// @param local numbers of the element's nodes that are the part's corners
  template <std::size_t corners>
  void add(const Element<corners>& element, std::array<int, corners> local, std::vector<Index>& out) {
    std::sort(local.begin(), local.end(), [&](int a, int b) { return element.nodes[a] < element.nodes[b]; });
    for (const int i : local) out.push_back(element.nodes[i]);
    for (const auto& [i, j] : element.edge_corners)
      out.push_back(middle(element, local[std::size_t(i)], local[std::size_t(j)]));
  }
  void add_triangle(Index t);
  void add_cell(Index c);
  Mesh finish(std::vector<Region> volumes, std::vector<Region> surfaces) {
    new_.volumes = std::move(volumes), new_.surfaces = std::move(surfaces);
    return std::move(new_);
  }

 private:
  template <std::size_t corners>
  Index middle(const Element<corners>& element, int a, int b) {
    const auto [place, is_new] =
        middles_.try_emplace(std::minmax(element.nodes[a], element.nodes[b]), Index(new_.nodes.size()));
    if (is_new) {
      auto at = element.place(a);
      const auto other = element.place(b);
      for (std::size_t i = 0; i < corners; ++i) at[i] = 0.5 * (at[i] + other[i]);
      new_.nodes.push_back(element.evaluate(old_, at));
    }
    return place->second;
  }

  const Mesh& old_;
  Mesh new_;
  std::map<std::pair<Index, Index>, Index> middles_;
};

void Refinement::add_triangle(Index t) {
  const TriangleOf triangle{old_.triangle(t), triangle_edge_vertices};
  constexpr std::array<std::array<int, 3>, 4> parts{{{0, 3, 4}, {1, 3, 5}, {2, 4, 5}, {3, 4, 5}}};
  for (const auto& part : parts) add(triangle, part, new_.triangles);
}

void Refinement::add_cell(Index c) {
  const CellOf cell{old_.cell(c), cell_edge_vertices};
  constexpr std::array<std::array<int, 4>, 4> ends{{{0, 4, 5, 6}, {1, 4, 7, 8}, {2, 5, 7, 9}, {3, 6, 8, 9}}};
  for (const auto& part : ends) add(cell, part, new_.cells);
  // Diagonals of the octahedron, each with the ring of the other four around it.
  constexpr std::array<std::array<int, 6>, 3> axes{
      {{4, 9, 5, 6, 8, 7}, {5, 8, 4, 6, 9, 7}, {6, 7, 4, 5, 9, 8}}};
  const auto length = [&](const std::array<int, 6>& axis) {
    return norm(old_.nodes[cell.nodes[axis[0]]] - old_.nodes[cell.nodes[axis[1]]]);
  };
  const auto& axis = *std::min_element(axes.begin(), axes.end(),
                                       [&](const auto& a, const auto& b) { return length(a) < length(b); });
  for (std::size_t i = 0; i < 4; ++i)
    add(cell, std::array{axis[0], axis[1], axis[2 + i], axis[2 + (i + 1) % 4]}, new_.cells);
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
  Refinement parts(mesh);
  for (Index c = 0; c < mesh.num_cells(); ++c) parts.add_cell(c);
  for (Index t = 0; t < mesh.num_triangles(); ++t) parts.add_triangle(t);
  return parts.finish(multiplied(mesh.volumes, 8), multiplied(mesh.surfaces, 4));
}

Mesh refined_flat(const Mesh& mesh) {
  if (mesh.geometry_order == 2) return straighten(refine(mesh));
  const Mesh finer = refine(second_order(mesh));
  return corners_only(finer, finer.nodes);
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
