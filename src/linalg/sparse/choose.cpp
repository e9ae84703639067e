// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sparse/choose.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace curlew::linalg {
namespace {

/// Largest fraction of padding that the choice accepts.
constexpr double most_padding = 0.048;

/// Rows of a few entries go to one thread. Long rows take 8 or 16, and so do rows that are too few to fill a
/// GPU otherwise (150 000 threads). Measured on an H200.
int threads_for(const RowStatistics& rows) {
  int threads = rows.mean < 32 ? 1 : rows.mean < 160 ? 8 : 16;
  while (threads < 32 && double(threads) * rows.rows < 150000 && rows.mean > 3 * threads) threads *= 2;
  return threads;
}

/// Stored entries over real ones, less one.
double padding(const std::vector<Offset>& row_offsets, const EllOptions& o) {
  const Index n = Index(row_offsets.size()) - 1;
  std::vector<Index> order;
  if (o.sort_window != 0) order = rows_by_length(row_offsets, o.sort_window);
  double stored = 0;
  for (Index first = 0; first < n; first += o.slice_height) {
    Offset longest = 0;
    for (Index p = first; p < std::min(n, first + o.slice_height); ++p) {
      const Index row = order.empty() ? p : order[p];
      longest = std::max(longest, row_offsets[row + 1] - row_offsets[row]);
    }
    stored +=
        double((longest + o.threads_per_row - 1) / o.threads_per_row * o.threads_per_row) * o.slice_height;
  }
  return row_offsets.back() == 0 ? 0 : stored / double(row_offsets.back()) - 1;
}

}  // namespace

EllChoice choose_ell(const std::vector<Offset>& row_offsets) {
  const RowStatistics rows = row_statistics(row_offsets);
  EllChoice choice;
  EllOptions& o = choice.options;
  // Fewer threads per row round lengths up less: their number is reduced before the padding is accepted.
  for (int threads = threads_for(rows); threads >= 1; threads /= 2) {
    o.threads_per_row = threads;
    o.slice_height = 128 / threads;
    for (const Index window : {0, 1024, 8192, -1}) {
      o.sort_window = window;
      choice.fill = padding(row_offsets, o);
      if (choice.fill <= most_padding) break;
    }
    if (choice.fill <= most_padding) break;
  }
  choice.reason = fmt::format(
      "{}: {:.1f} entries per row ({}..{}, deviation {:.1f}) give T = {}, S = {}, {}, {:.1f} % padding",
      name_of(o.kind), rows.mean, rows.shortest, rows.longest, rows.deviation, o.threads_per_row,
      o.slice_height,
      o.sort_window == 0    ? "rows as they are"
      : o.sort_window == -1 ? "all rows sorted by length"
                            : fmt::format("rows sorted in windows of {}", o.sort_window),
      100 * choice.fill);
  return choice;
}

}  // namespace curlew::linalg
