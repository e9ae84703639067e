// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sparse/row_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace curlew::linalg {

std::vector<Index> rows_by_length(const std::vector<Offset>& row_offsets, Index window) {
  const Index n = Index(row_offsets.size()) - 1;
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  const auto length = [&](Index row) { return row_offsets[row + 1] - row_offsets[row]; };
  const Index step = window < 0 ? std::max<Index>(n, 1) : std::max<Index>(window, 1);
  for (Offset first = 0; first < n; first += step) {
    const auto end = order.begin() + std::min<Offset>(first + step, n);
    std::stable_sort(order.begin() + first, end, [&](Index i, Index j) { return length(i) > length(j); });
  }
  return order;
}

RowStatistics row_statistics(const std::vector<Offset>& row_offsets) {
  RowStatistics s;
  s.rows = Index(row_offsets.size()) - 1;
  s.nnz = row_offsets.back();
  if (s.rows == 0) return s;
  s.mean = double(s.nnz) / s.rows;
  s.shortest = Index(row_offsets[1]);
  for (Index i = 0; i < s.rows; ++i) {
    const Index length = Index(row_offsets[i + 1] - row_offsets[i]);
    s.shortest = std::min(s.shortest, length);
    s.longest = std::max(s.longest, length);
    s.deviation += (length - s.mean) * (length - s.mean);
  }
  s.deviation = std::sqrt(s.deviation / s.rows);
  return s;
}

}  // namespace curlew::linalg
