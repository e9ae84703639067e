// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parts of curved triangles and tetrahedra: their corners are nodes of the old mesh, new middle nodes lie on
// its curved edges and faces. Private to refine.cpp and bisect.cpp.

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "mesh/jacobian.hpp"
#include "mesh/mesh.hpp"

namespace curlew::mesh {

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
  Vec3<double> evaluate(const Mesh& mesh, const std::array<double, corners>& at) const {
    return simplex_point(at, true, edge_corners, [&](int i) { return mesh.nodes[std::size_t(nodes[i])]; });
  }
};
using TriangleOf = Element<3>;
using CellOf = Element<4>;

/// Makes a mesh of second order, part by part.
class CurvedParts {
 public:
  explicit CurvedParts(const Mesh& mesh) : old_(mesh), new_(mesh) {
    new_.cells.clear(), new_.triangles.clear();
  }
  /// @param local corners of a part of a triangle
  void add_triangle(Index t, std::array<int, 3> local) {
    add(TriangleOf{old_.triangle(t), triangle_edge_vertices}, local, new_.triangles);
  }
  void add_cell(const CellOf& cell, std::array<int, 4> local) { add(cell, local, new_.cells); }
  Mesh finish(std::vector<Region> volumes, std::vector<Region> surfaces) {
    new_.volumes = std::move(volumes), new_.surfaces = std::move(surfaces);
    return std::move(new_);
  }

 private:
  /// @param local numbers of the element's nodes that are the part's corners
  template <std::size_t corners>
  void add(const Element<corners>& element, std::array<int, corners> local, std::vector<Index>& out) {
    std::sort(local.begin(), local.end(), [&](int a, int b) { return element.nodes[a] < element.nodes[b]; });
    for (const int i : local) out.push_back(element.nodes[i]);
    for (const auto& [i, j] : element.edge_corners)
      out.push_back(middle(element, local[std::size_t(i)], local[std::size_t(j)]));
  }
  template <std::size_t corners>
  Index middle(const Element<corners>& element, int a, int b) {
    for (std::size_t e = 0; e < element.edges; ++e)  // an edge that stays whole keeps its own
      if (element.edge_corners[e] == std::array{std::min(a, b), std::max(a, b)})
        return element.nodes[corners + e];
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

}  // namespace curlew::mesh
