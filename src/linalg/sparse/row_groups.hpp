// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rows with one and the same pattern, found by hashing. In a finite-element matrix these are the degrees of
// freedom that belong to one edge, face or cell.

#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

struct RowGroup {
  Index first = 0;       ///< first of its rows in RowGroups::rows
  std::int8_t size = 1;  ///< 1, 2, 3, 4 or 6
  bool is_real = false;  ///< no value of its rows has an imaginary part
};
struct RowGroups {
  std::vector<RowGroup> groups;  ///< by first row, ascending
  std::vector<Index> rows;       ///< [num_rows], rows of each group consecutive and ascending
};

/// @param largest 1 to 6: larger sets of equal rows are split @param split_real groups of real rows are
/// separate from those with complex values
template <class T>
RowGroups group_rows(const Csr<T>& a, int largest, bool split_real);

}  // namespace curlew::linalg
