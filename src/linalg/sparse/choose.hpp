// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Automatic choice of slice height, threads per row and row order, with its reason.

#include <string>

#include "linalg/sparse/ell.hpp"
#include "linalg/sparse/row_order.hpp"

namespace curlew::linalg {

struct EllChoice {
  EllOptions options;
  double fill = 0;     ///< share of stored entries that is padding, estimated from the row lengths
  std::string reason;  ///< one sentence for the log
};

/// T from the mean row length and the number of rows, S so that a slice is 128 threads, and the smallest
/// window of sorted rows that leaves at most 4.8 % padding; if none does, fewer threads per row. (The paper's
/// card was fastest with T = 2 below 40 printed entries per row, 4 below 80, 8 above.)
EllChoice choose_ell(const std::vector<Offset>& row_offsets);

}  // namespace curlew::linalg
