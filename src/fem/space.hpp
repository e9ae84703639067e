// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The global Nedelec space: who owns which unknown. Unknowns are grouped by the order that adds them, so that
// the system falls into the blocks A_ij by ranges of rows and columns; inside a group edges come first, then
// faces, then cells. Entities on the surfaces given as constrained (PEC) have no unknown at all.

#include <array>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "fem/nedelec.hpp"
#include "mesh/mesh.hpp"
#include "mesh/topology.hpp"

namespace curlew::fem {

/// Mesh and topology must outlive the space. Numbers of unknowns per group (level l = 1, 2, 3):
///   level 1: edges; level 2: edges, 2 per face; level 3: edges, 4 per face, 3 per cell.
struct NedelecSpace {
  const mesh::Mesh* mesh = nullptr;
  const mesh::Topology* topology = nullptr;
  int order = 1;
  std::vector<Index> edge_number;  ///< [num_edges] place among the free edges, -1 if constrained
  std::vector<Index> face_number;  ///< [num_faces] place among the free faces, -1 if constrained
  Index num_free_edges = 0;
  Index num_free_faces = 0;
  /// Group l - 1 holds the unknowns block_offsets[l - 1] .. block_offsets[l]; empty groups past the order.
  std::array<Index, 4> block_offsets{};

  Index num_dofs() const { return block_offsets[3]; }
  /// First unknown of a free edge or face (by its place, not its number) or of a cell, in a level's group.
  Index edge_dof(int level, Index place) const { return block_offsets[level - 1] + place; }
  Index face_dof(int level, Index place) const {
    return block_offsets[level - 1] + num_free_edges + face_dofs_added(level) * place;
  }
  Index cell_dof(int level, Index cell) const {
    return block_offsets[level - 1] + num_free_edges + face_dofs_added(level) * num_free_faces +
           cell_dofs_added(level) * cell;
  }

  /// Unknowns of a cell in the order of the basis (nedelec.hpp), -1 for constrained ones.
  /// @param[out] dofs [nedelec_dim(order)]
  void cell_dofs(Index cell, Index* dofs) const;
  /// Unknowns of the tangential trace on a face, in the order of nedelec_face_values, -1 for constrained
  /// ones.
  /// @param[out] dofs [nedelec_face_dim(order)]
  void trace_dofs(Index face, Index* dofs) const;
};

/// @param order 1, 2 or 3
/// @param constrained_triangles triangles of the mesh (see mesh::Region) on which n x E = 0; repetitions are
/// fine
/// @throws InputError for another order, ResourceError if the unknowns exceed 2^31
NedelecSpace make_space(const mesh::Mesh& mesh, const mesh::Topology& topology, int order,
                        std::span<const Index> constrained_triangles = {});

/// Unknowns whose functions have a tangential trace on these triangles, ascending, without constrained ones.
std::vector<Index> surface_dofs(const NedelecSpace& space, std::span<const Index> triangles);

/// Triangles of a named surface.
/// @throws InputError naming the surfaces there are
const std::vector<Index>& surface_triangles(const mesh::Mesh& mesh, const std::string& name);

}  // namespace curlew::fem
