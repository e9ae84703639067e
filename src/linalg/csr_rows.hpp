// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Assembles matrices row by row, with all threads.

#include <algorithm>
#include <utility>
#include <vector>

#include "base/huge_pages.hpp"
#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Column and value of an entry of a row.
template <class T>
using RowEntry = std::pair<Index, T>;

/// Sorts a row by column and sums entries of the same column, in their order.
template <class T>
void sort_and_merge(std::vector<RowEntry<T>>& row) {
  std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t out = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (out > 0 && row[out - 1].first == row[k].first)
      row[out - 1].second += row[k].second;
    else
      row[out++] = row[k];
  }
  row.resize(out);
}

/// The matrix is the same for any number of threads.
/// @param fill void(Index row, std::vector<RowEntry<T>>& entries) appends entries of a row, in any order;
/// those of the same column are added. It is called by several threads at once.
template <class T, class Fill>
Csr<T> make_rows(Index num_rows, Index num_cols, const Fill& fill) {
  constexpr Index rows_of_block = 1024;
  const Index blocks = (num_rows + rows_of_block - 1) / rows_of_block;
  std::vector<std::vector<RowEntry<T>>> of_block(static_cast<std::size_t>(blocks));
  Csr<T> a{num_rows, num_cols, std::vector<Offset>(std::size_t(num_rows) + 1, 0), {}, {}};
#pragma omp parallel
  {
    std::vector<RowEntry<T>> row;
#pragma omp for schedule(dynamic, 1)
    for (Index block = 0; block < blocks; ++block) {
      auto& entries = of_block[std::size_t(block)];
      for (Index i = block * rows_of_block; i < std::min(num_rows, (block + 1) * rows_of_block); ++i) {
        row.clear();
        fill(i, row);
        sort_and_merge(row);
        entries.insert(entries.end(), row.begin(), row.end());
        a.row_offsets[std::size_t(i) + 1] = Offset(row.size());
      }
    }
  }
  for (std::size_t i = 0; i < std::size_t(num_rows); ++i) a.row_offsets[i + 1] += a.row_offsets[i];
  resize_huge(a.columns, std::size_t(a.nnz()));
  resize_huge(a.values, std::size_t(a.nnz()));
#pragma omp parallel for schedule(dynamic, 1)
  for (Index block = 0; block < blocks; ++block) {
    auto out = std::size_t(a.row_offsets[std::size_t(block) * rows_of_block]);
    for (const auto& [column, value] : of_block[std::size_t(block)]) {
      a.columns[out] = column;
      a.values[out++] = value;
    }
    std::vector<RowEntry<T>>().swap(of_block[std::size_t(block)]);
  }
  return a;
}

/// The entries of row r of AᵀBA, unordered, columns may repeat. @param transposed Aᵀ
template <class T>
void append_congruent_row(const Csr<double>& transposed, const Csr<T>& b, const Csr<double>& a, Index r,
                          std::vector<RowEntry<T>>& row) {
  const auto each = [](const auto& m, Index i, const auto& visit) {
    for (Offset k = m.row_offsets[std::size_t(i)]; k < m.row_offsets[std::size_t(i) + 1]; ++k)
      visit(m.columns[std::size_t(k)], m.values[std::size_t(k)]);
  };
  each(transposed, r, [&](Index i, double left) {
    each(b, i, [&](Index j, T value) {
      each(a, j, [&](Index c, double right) { row.emplace_back(c, left * value * right); });
    });
  });
}

/// AᵀBA of a real rectangular and a square matrix.
template <class T>
Csr<T> congruent(const Csr<double>& a, const Csr<T>& b);

}  // namespace curlew::linalg
