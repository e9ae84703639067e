// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The global Lagrange space: one number per node, that is, per vertex, per point inside an edge and per point
// inside a face. Nodes where the value is prescribed (Dirichlet) come last, so that the system of the free
// ones is the leading block of the matrix over all nodes.

#include <span>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/lagrange/lagrange_basis.hpp"
#include "mesh/mesh.hpp"
#include "mesh/topology.hpp"

namespace curlew::fem {

/// Mesh and topology must outlive the space. Among the free nodes vertices come first, then edges, then
/// faces; the fixed ones follow in the same order. Nodes of one edge have consecutive numbers, from its first
/// vertex.
struct LagrangeSpace {
  const mesh::Mesh* mesh = nullptr;
  const mesh::Topology* topology = nullptr;
  int order = 1;
  std::vector<Index> vertex_number;  ///< [mesh nodes] -1 for nodes at the middle of curved edges
  std::vector<Index> edge_number;    ///< [num_edges] first node of each edge; empty at order 1
  std::vector<Index> face_number;    ///< [num_faces] node of each face; empty below order 3
  Index num_free = 0;                ///< unknowns
  Index num_nodes = 0;               ///< free and fixed

  Index num_fixed() const { return num_nodes - num_free; }
  int num_local_entities() const { return order == 1 ? 4 : (order == 2 ? 10 : 14); }
  /// First node of each vertex, edge and face of a cell. @param[out] first [num_local_entities()]
  void cell_entities(Index cell, Index* first) const;
  /// Nodes of a cell in the order of lagrange_cell_basis. @param[out] nodes [lagrange_dim(order)]
  void cell_nodes(Index cell, Index* nodes) const;
  /// Nodes of a face in the order of lagrange_face_basis. @param[out] nodes [lagrange_face_dim(order)]
  void face_nodes(Index face, Index* nodes) const;
};

/// @param order 1, 2 or 3
/// @param fixed_triangles triangles of the mesh (see mesh::Region) on which the value is prescribed
/// @throws InputError for another order, ResourceError if the nodes exceed 2^31
LagrangeSpace make_lagrange_space(const mesh::Mesh& mesh, const mesh::Topology& topology, int order,
                                  std::span<const Index> fixed_triangles = {});

/// Nodes on these triangles, ascending, each once.
std::vector<Index> nodes_on(const LagrangeSpace& space, std::span<const Index> triangles);

/// Position of every node [m], also on curved cells. @return [num_nodes]
std::vector<Vec3<double>> node_positions(const LagrangeSpace& space);

/// Positions of the nodes on the unit tetrahedron, in the order of lagrange_cell_basis.
std::vector<Vec3<double>> reference_positions(int order);

}  // namespace curlew::fem
