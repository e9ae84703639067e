// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A tetrahedron subdivided into n³ linear ones for display. VTK finds points in quadratic cells by an
// iteration that may pick a neighbour and extrapolate, and draws slices through them as through linear ones;
// linear cells avoid both. Subdivisions of a face agree from both sides.

#include <array>
#include <vector>

#include "base/vec3.hpp"

namespace curlew::fem {

class CellSubdivision {
 public:
  /// @param n pieces of every edge, >= 1
  explicit CellSubdivision(int n);

  int pieces() const { return n_; }
  int num_nodes() const { return int(nodes_.size()); }
  int num_cells() const { return int(cells_.size()); }
  /// Reference coordinates of the nodes: four vertices, those within the edges in the order of
  /// mesh::cell_edge_vertices, then those within faces and cell.
  std::vector<Vec3<double>> positions() const;
  /// Nodes of the n³ cells, right-handed on the reference tetrahedron.
  const std::vector<std::array<int, 4>>& cells() const { return cells_; }
  /// n times the barycentric coordinates of a node.
  using Place = std::array<int, 4>;
  const Place& place(int node) const { return nodes_[std::size_t(node)]; }
  /// The node with these coordinates.
  int node(const Place& place) const;
  /// Nodes of a face, in an order that depends on its vertices alone.
  std::vector<int> face_nodes(const std::array<int, 3>& vertices) const;

 private:
  void add_nodes();
  void add_cell(std::array<int, 4> cell);
  void cut(const std::array<int, 3>& corner);

  int n_;
  std::vector<Place> nodes_;
  std::vector<int> number_;  // of the node at (i, j, k), [(n + 1)^3]
  std::vector<std::array<int, 4>> cells_;
};

}  // namespace curlew::fem
