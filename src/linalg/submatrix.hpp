// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Extracts rows and columns of a sparse matrix.

#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// @param place [num_cols] index of a column in the new matrix, -1: not in it
/// @param columns of the new matrix
template <class T>
Csr<T> submatrix(const Csr<T>& a, const std::vector<Index>& rows, const std::vector<Index>& place,
                 std::size_t columns) {
  Csr<T> part{Index(rows.size()), Index(columns), {0}, {}, {}};
  std::size_t entries = 0;
  for (const Index i : rows)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (place[std::size_t(a.columns[std::size_t(k)])] >= 0) ++entries;
  part.columns.reserve(entries), part.values.reserve(entries);
  for (const Index i : rows) {
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (const Index j = place[std::size_t(a.columns[std::size_t(k)])]; j >= 0)
        part.columns.push_back(j), part.values.push_back(a.values[std::size_t(k)]);
    part.row_offsets.push_back(Offset(part.columns.size()));
  }
  return part;
}

}  // namespace curlew::linalg
