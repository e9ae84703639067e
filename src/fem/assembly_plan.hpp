// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which thread assembles which rows: cells are ordered along a space-filling curve; rows belong to the thread
// of the first cell around their edge, face or cell, and every thread visits all cells that touch its rows,
// in that order. No row is written by two threads, none is summed in another order than with one thread;
// cells between two threads' parts are computed twice.

#include <cstdint>
#include <vector>

#include "fem/space.hpp"

namespace curlew::fem {

/// Part `index` of `count` of the rows: those whose first cell is of that part of the cells. Each process of
/// a group assembles one.
struct RowShare {
  int index = 0, count = 1;
  bool is_all() const { return count == 1; }
};

struct AssemblyPlan {
  static constexpr std::uint16_t elsewhere = 0xffff;
  std::vector<std::vector<Index>> cells;  ///< per thread, along the curve
  std::vector<std::uint16_t> owner;  ///< [num_entities] thread (see sparsity.hpp for entities) or elsewhere
  std::vector<Index> first_cell;     ///< [num_entities] the first cell on the curve: it clears the rows
  int num_threads() const { return int(cells.size()); }
};

/// Cells in the order of the Z-curve through their centres: mesh generators leave neighbours far apart.
/// Source: Morton (1966), IBM technical report.
std::vector<Index> cells_along_curve(const mesh::Mesh& mesh);

/// All cells along the curve (rows are summed in this order for any division into shares), and the share of
/// each.
struct CellOrder {
  std::vector<Index> curve;
  std::vector<Index> share;  ///< [cells]; empty: there is one share
};
/// Shares are parts with short boundaries (halves_of_cells): they determine the communication between
/// processes, and cuts between halves of the shares the fill of the factors.
CellOrder order_cells(const NedelecSpace& space, int shares = 1);

/// @param order with as many shares as `share` is one of
/// @param share rows to be assembled
AssemblyPlan plan_assembly(const NedelecSpace& space, const CellOrder& order, int num_threads,
                           RowShare share = {});

}  // namespace curlew::fem
