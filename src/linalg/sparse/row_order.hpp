// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Orders of rows for sliced formats, and statistics for the choice of a format.

#include <vector>

#include "base/types.hpp"

namespace curlew::linalg {

/// Rows by descending length inside windows of `window` rows (-1: one window); equal lengths keep their
/// order.
std::vector<Index> rows_by_length(const std::vector<Offset>& row_offsets, Index window);

struct RowStatistics {
  Index rows = 0;
  Offset nnz = 0;
  Index shortest = 0, longest = 0;
  double mean = 0, deviation = 0;  ///< entries per row
};
RowStatistics row_statistics(const std::vector<Offset>& row_offsets);

}  // namespace curlew::linalg
