// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sparsity pattern (nodes that share a cell), and the division of rows among threads. Cells are taken along a
// space-filling curve; a row belongs to the thread of the first cell around its node, and every thread visits
// all cells that touch its rows, in the order of the curve. So no row is written by two threads, and the
// order of summation does not depend on the number of threads; cells between two threads' parts are computed
// twice.

#include <cstdint>
#include <vector>

#include "fem/lagrange/lagrange_space.hpp"

namespace curlew::fem {

struct ScalarPattern {
  std::vector<Offset> row_offsets;  ///< [num_nodes + 1]
  std::vector<Index> columns;       ///< [nnz] ascending in each row
  Offset nnz() const { return row_offsets.back(); }
};
/// @throws ResourceError if it does not fit into memory
ScalarPattern build_scalar_pattern(const LagrangeSpace& space);

struct RowPlan {
  std::vector<std::vector<Index>> cells;  ///< per thread, along the curve
  std::vector<std::uint16_t> owner;       ///< [num_nodes] thread
  int num_threads() const { return int(cells.size()); }
};
/// @param curve a permutation of the cells (cells_along_curve)
RowPlan plan_rows(const LagrangeSpace& space, const std::vector<Index>& curve, int num_threads);

}  // namespace curlew::fem
