// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Unknowns coupled in a cell or across a layer (mesh::Cut), stored per edge, face and cell instead of per
// unknown: all unknowns of an entity have the same columns, and columns of an entity come in short runs. The
// pattern of an order-3 matrix thus takes a few per cent of its size, and the position of an element's entry
// in its row follows from 121 small numbers per cell.

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

/// Local entities of a cell that carry unknowns: 6 edges; order 2: and 4 faces; order 3: and the cell.
constexpr int num_local_entities(int order) {
  return order == 1 ? 6 : (order == 2 ? 10 : 11);
}

/// For a share of the rows (RowShare), only entities of the share have neighbours; the rows of others are
/// empty.
///
/// Free entities are numbered edges, faces, cells in one sequence ("entity").
/// Columns of a row of entity E with ne edges, nf faces and nc cells around it, ascending:
///   ne [level 1], ne + 2 nf [level 2], ne + 4 nf + 3 nc [level 3];
/// if cells differ in order, only those that reach the level: the first ones of each list.
struct Sparsity {
  struct Neighbours {
    std::vector<Offset> begin;  ///< [num_entities + 1]
    std::vector<Index> places;  ///< ascending indices among the free edges (free faces, cells)
    Index count(Index entity) const {
      return Index(begin[std::size_t(entity) + 1] - begin[std::size_t(entity)]);
    }
    /// Number of neighbours with an index below `end`.
    Index count_below(Index entity, Index end) const;
  };
  Neighbours edges, faces, cells;   ///< faces from order 2 on, cells at order 3; else empty
  std::vector<Offset> row_offsets;  ///< [num_dofs + 1]
  /// [cells, num_local_entities, num_local_entities] position of the column entity among the row entity's
  /// neighbours of its kind; `absent` if either is constrained, or the row of another share
  std::vector<std::uint16_t> positions;
  std::vector<Index> cell_places;  ///< [num_cells] index in positions, -1: no row in the share; or empty

  static constexpr std::uint16_t absent = 0xffff;
  /// Positions of a cell that has a row in the share.
  const std::uint16_t* positions_of(Index cell, int local_entities) const {
    const Index place = cell_places.empty() ? cell : cell_places[std::size_t(cell)];
    return &positions[std::size_t(place) * std::size_t(local_entities * local_entities)];
  }
  Offset nnz() const { return row_offsets.back(); }
};

/// Numbers of edges, faces and cells around an entity with unknowns of each level.
struct RowCounts {
  std::array<Index, 3> edges{}, faces{}, cells{};
  /// If all cells have one order.
  RowCounts(int order, Index num_edges, Index num_faces, Index num_cells) {
    for (std::size_t l = 0; l < std::size_t(order); ++l) edges[l] = num_edges;
    for (std::size_t l = 1; l < std::size_t(order); ++l) faces[l] = num_faces;
    if (order == 3) cells[2] = num_cells;
  }
  RowCounts(const NedelecSpace& space, const Sparsity& sparsity, Index entity);
};

Index num_entities(const NedelecSpace& space);
/// Entities of a cell, -1 where constrained. @param[out] entities [num_local_entities(order)]
void cell_entities(const NedelecSpace& space, Index cell, Index* entities);

/// @param own [num_entities] 1 where an entity's rows are of the share; empty: all are
/// @throws InputError if more than 65534 entities of a kind meet at one entity
Sparsity build_sparsity(const NedelecSpace& space, const std::vector<char>& own = {});

/// Columns of every row, ascending. @param[out] columns [nnz]
void fill_columns(const NedelecSpace& space, const Sparsity& sparsity, Index* columns);

}  // namespace curlew::fem
