// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The nine blocks A_ij of a system whose unknowns are grouped by order.

#include <array>

#include "base/types.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// Rows row_begin..row_end and columns col_begin..col_end of a, with their own numbering from 0.
template <class T>
linalg::Csr<T> extract_block(const linalg::Csr<T>& a, Index row_begin, Index row_end, Index col_begin,
                             Index col_end);

/// Blocks [i][j] by NedelecSpace::block_offsets; those past the space's order are empty.
template <class T>
std::array<std::array<linalg::Csr<T>, 3>, 3> split_by_order(const linalg::Csr<T>& a,
                                                            const std::array<Index, 4>& block_offsets);

}  // namespace curlew::fem
