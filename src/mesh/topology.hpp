// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Edges and faces of a mesh, each numbered once.

#include <array>
#include <memory>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

struct Topology {
  std::vector<std::array<Index, 2>> edges;       ///< vertex nodes, ascending
  std::vector<std::array<Index, 3>> faces;       ///< vertex nodes, ascending
  std::vector<std::array<Index, 6>> cell_edges;  ///< edge of each of cell_edge_vertices
  std::vector<std::array<Index, 4>> cell_faces;  ///< face of each of cell_face_vertices
  std::vector<std::array<Index, 2>> face_cells;  ///< cells on both sides; the second is -1 on the boundary
  std::vector<std::array<Index, 3>> face_edges;  ///< edge of each of triangle_edge_vertices
  std::vector<Index> triangle_face;              ///< face of each of the mesh's named triangles

  Index num_edges() const { return Index(edges.size()); }
  Index num_faces() const { return Index(faces.size()); }
};

/// @throws InputError if a face has more than two cells or a named triangle is no face of any cell
Topology build_topology(const Mesh& mesh);

/// The same for the checks of a mesh before a run. It is kept until build_topology of the same cells takes
/// it, or another mesh is checked.
std::shared_ptr<const Topology> topology_for_checks(const Mesh& mesh);

}  // namespace curlew::mesh
