// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A tetrahedral mesh with named regions, straight or second-order curved. Plain data: whatever reads or
// generates a mesh fills it, check_mesh checks it, build_topology derives edges and faces.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::mesh {

/// A physical group: a name and the cells (dimension 3) or boundary triangles (dimension 2) in it, ascending.
/// A triangle or cell may be in several groups.
struct Region {
  std::string name;
  std::vector<Index> entities;
};

/// A face inside the mesh along which it is cut: two triangles of the same regions and shape, whose nodes are
/// the same where they lie on the rim of the cut.
struct Cut {
  std::array<Index, 2> triangles;  ///< one per side
  std::array<Index, 2> cells;      ///< the cell on each side
  bool coupled = false;            ///< a boundary law couples the fields on both sides in matrices
};

/// Local edges of a tetrahedron as pairs of its vertices, and faces as triples; face f is opposite vertex f.
/// Use these tables, not arithmetic with edge numbers.
inline constexpr std::array<std::array<int, 2>, 6> cell_edge_vertices{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
inline constexpr std::array<std::array<int, 3>, 4> cell_face_vertices{
    {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};
/// Local edges of a triangle as pairs of its vertices.
inline constexpr std::array<std::array<int, 2>, 3> triangle_edge_vertices{{{0, 1}, {0, 2}, {1, 2}}};

/// Vertices of every cell and triangle are sorted by node number (ascending), so that neighbours agree on the
/// direction of edges and faces without sign tables. The Jacobian's determinant may therefore be negative.
struct Mesh {
  std::string name;                 ///< file it came from, for messages
  int geometry_order = 1;           ///< 1: 4 nodes per cell, 3 per triangle; 2: 10 and 6
  std::vector<Vec3<double>> nodes;  ///< [m]
  /// [num_cells, 4 or 10] vertices sorted, then the node at the middle of each of cell_edge_vertices
  std::vector<Index> cells;
  /// [num_triangles, 3 or 6] triangles of named surfaces: vertices sorted, then triangle_edge_vertices' nodes
  std::vector<Index> triangles;
  std::vector<Region> volumes;   ///< entities: cells
  std::vector<Region> surfaces;  ///< entities: triangles
  std::vector<Cut> cuts{};       ///< of cut_along, in memory only
  /// Orders that elements on the first cells should have at least, from adaptive passes, in memory only;
  /// empty: none.
  std::vector<std::int8_t> element_orders{};

  int nodes_per_cell() const { return geometry_order == 1 ? 4 : 10; }
  int nodes_per_triangle() const { return geometry_order == 1 ? 3 : 6; }
  Index num_cells() const { return Index(cells.size()) / nodes_per_cell(); }
  Index num_triangles() const { return Index(triangles.size()) / nodes_per_triangle(); }
  const Index* cell(Index c) const { return &cells[std::size_t(c) * nodes_per_cell()]; }
  const Index* triangle(Index t) const { return &triangles[std::size_t(t) * nodes_per_triangle()]; }
};

}  // namespace curlew::mesh
