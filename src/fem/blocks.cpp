// SPDX-License-Identifier: BSD-3-Clause
#include "fem/blocks.hpp"

#include <algorithm>

namespace curlew::fem {

template <class T>
linalg::Csr<T> extract_block(const linalg::Csr<T>& a, Index row_begin, Index row_end, Index col_begin,
                             Index col_end) {
  linalg::Csr<T> block;
  block.num_rows = row_end - row_begin;
  block.num_cols = col_end - col_begin;
  block.row_offsets.resize(std::size_t(block.num_rows) + 1);
  std::vector<Offset> first(std::size_t(block.num_rows));  // in a, of each row's part
  for (Index i = 0; i < block.num_rows; ++i) {
    const auto begin = a.columns.begin() + a.row_offsets[std::size_t(row_begin + i)];
    const auto end = a.columns.begin() + a.row_offsets[std::size_t(row_begin + i) + 1];
    const auto from = std::lower_bound(begin, end, col_begin), to = std::lower_bound(from, end, col_end);
    first[std::size_t(i)] = from - a.columns.begin();
    block.row_offsets[std::size_t(i) + 1] = block.row_offsets[std::size_t(i)] + (to - from);
  }
  block.columns.resize(std::size_t(block.nnz()));
  block.values.resize(std::size_t(block.nnz()));
  for (Index i = 0; i < block.num_rows; ++i)
    for (Offset k = block.row_offsets[std::size_t(i)]; k < block.row_offsets[std::size_t(i) + 1]; ++k) {
      const auto source = std::size_t(first[std::size_t(i)] + k - block.row_offsets[std::size_t(i)]);
      block.columns[std::size_t(k)] = a.columns[source] - col_begin;
      block.values[std::size_t(k)] = a.values[source];
    }
  return block;
}

template <class T>
std::array<std::array<linalg::Csr<T>, 3>, 3> split_by_order(const linalg::Csr<T>& a,
                                                            const std::array<Index, 4>& offsets) {
  std::array<std::array<linalg::Csr<T>, 3>, 3> blocks;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      blocks[i][j] = extract_block(a, offsets[i], offsets[i + 1], offsets[j], offsets[j + 1]);
  return blocks;
}

template linalg::Csr<double> extract_block(const linalg::Csr<double>&, Index, Index, Index, Index);
template linalg::Csr<Complex> extract_block(const linalg::Csr<Complex>&, Index, Index, Index, Index);
template std::array<std::array<linalg::Csr<double>, 3>, 3> split_by_order(const linalg::Csr<double>&,
                                                                          const std::array<Index, 4>&);
template std::array<std::array<linalg::Csr<Complex>, 3>, 3> split_by_order(const linalg::Csr<Complex>&,
                                                                           const std::array<Index, 4>&);

}  // namespace curlew::fem
