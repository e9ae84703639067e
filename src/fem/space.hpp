// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The global Nedelec space: the numbers of the unknowns. Unknowns are grouped by the order that adds them, so
// that the system falls into the blocks A_ij by ranges of rows and columns; inside a group edges come first,
// then faces, then cells. Entities on the surfaces given as constrained (PEC) have no unknown at all.
//
// Cells may differ in their order. An edge or face then has the highest order of its cells (maximum rule):
// every cell has all polynomials of its own order, and some more from its neighbours. The basis is
// hierarchical, so that functions above the order of an entity are simply absent. Entities of higher order
// are numbered first: those that have an unknown of a level are the first ones of their kind. Source:
// Demkowicz and Babuska (2003), SIAM J. Numer. Anal. 41(4) (spaces of variable order).

#include <array>
#include <cstdint>
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
  int order = 1;                   ///< the highest of the cells
  std::vector<Index> edge_number;  ///< [num_edges] index among the free edges, -1 if constrained
  std::vector<Index> face_number;  ///< [num_faces] index among the free faces, -1 if constrained
  std::vector<Index> cell_number;  ///< [num_cells] index in the order of cells; empty: one order
  Index num_free_edges = 0;
  Index num_free_faces = 0;
  /// For each level the numbers of free edges, faces and cells whose order reaches it; they are the first
  /// ones by index.
  std::array<Index, 3> level_edges{}, level_faces{}, level_cells{};
  /// Group l - 1 holds the unknowns block_offsets[l - 1] .. block_offsets[l]; empty groups past the order.
  std::array<Index, 4> block_offsets{};

  Index num_dofs() const { return block_offsets[3]; }
  /// True if all cells have the same order.
  bool is_uniform() const { return cell_number.empty(); }
  /// Order of a free edge or face, by its index, and of a cell, by its number.
  int edge_order(Index place) const { return order_at(level_edges, place); }
  int face_order(Index place) const { return order_at(level_faces, place); }
  int cell_order(Index cell) const { return order_at(level_cells, cell_place(cell)); }
  /// Index of a cell in the numbering by order.
  Index cell_place(Index cell) const { return cell_number.empty() ? cell : cell_number[std::size_t(cell)]; }
  /// First unknown of a free edge or face (by its index, not its number) or of a cell (by its number), in a
  /// level's group; -1 if its order is below the level.
  Index edge_dof(int level, Index place) const {
    return place < level_edges[level - 1] ? block_offsets[level - 1] + place : -1;
  }
  Index face_dof(int level, Index place) const {
    return place < level_faces[level - 1] ? faces_begin(level) + face_dofs_added(level) * place : -1;
  }
  Index cell_dof(int level, Index cell) const {
    const Index place = cell_place(cell);
    return place < level_cells[level - 1] ? cells_begin(level) + cell_dofs_added(level) * place : -1;
  }
  /// First unknown of a level's faces and cells.
  Index faces_begin(int level) const { return block_offsets[level - 1] + level_edges[level - 1]; }
  Index cells_begin(int level) const {
    return faces_begin(level) + face_dofs_added(level) * level_faces[level - 1];
  }

  /// Unknowns of a cell in the order of the basis (nedelec.hpp), -1 for constrained ones.
  /// @param[out] dofs [nedelec_dim(order)]
  void cell_dofs(Index cell, Index* dofs) const;
  /// Unknowns of the tangential trace on a face, in the order of nedelec_face_values, -1 for constrained
  /// ones.
  /// @param[out] dofs [nedelec_face_dim(order)]
  void trace_dofs(Index face, Index* dofs) const;

 private:
  static int order_at(const std::array<Index, 3>& reached, Index place) {
    return place < reached[2] ? 3 : (place < reached[1] ? 2 : 1);
  }
};

/// Orders of cells, 1 to 3 [num_cells]; empty: all have the order given with them.
using CellOrders = std::vector<std::int8_t>;

/// @param order 1, 2 or 3
/// @param constrained_triangles triangles of the mesh (see mesh::Region) on which n x E = 0; repetitions are
/// fine
/// @param cell_orders orders of the cells; `order` is then ignored
/// @throws InputError for another order, ResourceError if the unknowns exceed 2^31
NedelecSpace make_space(const mesh::Mesh& mesh, const mesh::Topology& topology, int order,
                        std::span<const Index> constrained_triangles = {},
                        const CellOrders& cell_orders = {});

/// Unknowns whose functions have a tangential trace on these triangles, ascending, without constrained ones.
std::vector<Index> surface_dofs(const NedelecSpace& space, std::span<const Index> triangles);

/// Triangles of a named surface.
/// @throws InputError naming the existing surfaces
const std::vector<Index>& surface_triangles(const mesh::Mesh& mesh, const std::string& name);

}  // namespace curlew::fem
