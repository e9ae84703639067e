// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Extracts rows and columns of a sparse matrix.

#include <numeric>
#include <vector>

#include "base/huge_pages.hpp"
#include "linalg/csr.hpp"

namespace curlew::linalg {

/// @param place [num_cols] index of a column in the new matrix, -1: not in it
/// @param columns of the new matrix
template <class T>
Csr<T> submatrix(const Csr<T>& a, const std::vector<Index>& rows, const std::vector<Index>& place,
                 std::size_t columns) {
  Csr<T> part{Index(rows.size()), Index(columns), std::vector<Offset>(rows.size() + 1), {}, {}};
  const auto each_entry = [&](std::size_t r, const auto& visit) {
    const auto i = std::size_t(rows[r]);
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (const Index j = place[std::size_t(a.columns[std::size_t(k)])]; j >= 0) visit(k, j);
  };
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r < rows.size(); ++r)
    each_entry(r, [&](Offset, Index) { ++part.row_offsets[r + 1]; });
  std::partial_sum(part.row_offsets.begin(), part.row_offsets.end(), part.row_offsets.begin());
  resize_huge(part.columns, std::size_t(part.nnz())), resize_huge(part.values, std::size_t(part.nnz()));
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r < rows.size(); ++r) {
    auto to = std::size_t(part.row_offsets[r]);
    each_entry(r, [&](Offset k, Index j) {
      part.columns[to] = j, part.values[to] = a.values[std::size_t(k)];
      ++to;
    });
  }
  return part;
}

}  // namespace curlew::linalg
