// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sparse/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace curlew::linalg {

PatternFigures pattern_figures(const Csr<Complex>& a) {
  PatternFigures f;
  if (a.num_rows == 0) return f;
  double squares = 0;
  for (Index i = 0; i < a.num_rows; ++i) {
    const Offset begin = a.row_offsets[std::size_t(i)], end = a.row_offsets[std::size_t(i) + 1];
    for (Offset e = begin; e < end; ++e)
      f.bandwidth = std::max(f.bandwidth, std::abs(i - a.columns[std::size_t(e)]));
    f.longest_row = std::max(f.longest_row, Index(end - begin));
    squares += double(end - begin) * double(end - begin);
  }
  f.per_row = double(a.nnz()) / a.num_rows;
  f.density = f.per_row / a.num_cols;
  f.deviation = std::sqrt(std::max(0.0, squares / a.num_rows - f.per_row * f.per_row));
  return f;
}

std::vector<PatternTile> pattern_picture(const Csr<Complex>& a, Index side) {
  const Index width = (std::max(a.num_rows, a.num_cols) + side - 1) / side;
  std::vector<PatternTile> tiles;
  std::vector<Offset> counts(static_cast<std::size_t>(side));
  for (Index first = 0; first < a.num_rows; first += width) {
    std::ranges::fill(counts, 0);
    const Index last = std::min(a.num_rows, first + width);
    for (Offset e = a.row_offsets[std::size_t(first)]; e < a.row_offsets[std::size_t(last)]; ++e)
      ++counts[std::size_t(a.columns[std::size_t(e)] / width)];
    for (Index t = 0; t < side; ++t)
      if (counts[std::size_t(t)] > 0) tiles.push_back({first, t * width, counts[std::size_t(t)]});
  }
  return tiles;
}

}  // namespace curlew::linalg
