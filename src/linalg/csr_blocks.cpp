// SPDX-License-Identifier: BSD-3-Clause
// Blocks, permutations and the symmetry of compressed rows, by all threads: rows are counted first, then
// filled, each by one thread, so that the result does not depend on how many there are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "linalg/csr.hpp"

namespace curlew::linalg {
namespace {

template <class T>
void require_square(const Csr<T>& a, const char* what) {
  if (a.num_rows != a.num_cols)
    throw InputError(
        fmt::format("{}: the matrix is {} x {}, it must be square", what, a.num_rows, a.num_cols));
}

/// Allocates the entries, given the counts of rows at index row + 1.
template <class T>
void allocate(Csr<T>& a) {
  std::partial_sum(a.row_offsets.begin(), a.row_offsets.end(), a.row_offsets.begin());
  resize_huge(a.columns, std::size_t(a.nnz()));
  resize_huge(a.values, std::size_t(a.nnz()));
}

/// Symmetry of a matrix as found in one sweep over its rows.
struct Symmetries {
  double largest = 0;     ///< max |a_ij|
  double difference = 0;  ///< max |a_ij - a_ji| over the entries that were compared
  Offset unmatched = 0;   ///< entries below the diagonal without a partner above it
};

/// Compares entries above (or below) the diagonal with the transposed ones; a missing one counts as zero.
template <class T>
Symmetries compare_triangles(const Csr<T>& a, bool above) {
  double largest = 0, difference = 0;
  Offset others = 0, found = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(max : largest, difference) \
    reduction(+ : others, found)
  for (Index i = 0; i < a.num_rows; ++i) {
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const Index j = a.columns[k];
      largest = std::max(largest, double(std::abs(a.values[k])));
      if (j == i) continue;
      if ((j > i) != above) {
        ++others;
        continue;
      }
      const auto end = a.columns.begin() + a.row_offsets[j + 1];
      const auto partner = std::lower_bound(a.columns.begin() + a.row_offsets[j], end, i);
      const bool is_there = partner != end && *partner == i;
      found += is_there ? 1 : 0;
      const T value = is_there ? a.values[std::size_t(partner - a.columns.begin())] : T(0);
      difference = std::max(difference, double(std::abs(a.values[k] - value)));
    }
  }
  return {largest, difference, others - found};
}

}  // namespace

template <class T>
double asymmetry(const Csr<T>& a) {
  require_square(a, "asymmetry");
  Symmetries s = compare_triangles(a, true);
  if (s.unmatched > 0) s.difference = std::max(s.difference, compare_triangles(a, false).difference);
  return s.largest == 0 ? 0 : s.difference / s.largest;
}

template <class T>
Csr<T> permute(const Csr<T>& a, std::span<const Index> order) {
  require_square(a, "permutation");
  std::vector<Index> new_of_old(a.num_rows, -1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] < 0 || order[i] >= a.num_rows || new_of_old[order[i]] >= 0)
      throw InputError(
          fmt::format("order[{}] = {} is outside 0..{} or occurs twice", i, order[i], a.num_rows - 1));
    new_of_old[order[i]] = Index(i);
  }
  if (order.size() != std::size_t(a.num_rows))
    throw InputError(fmt::format("a permutation of {} for a matrix of {} rows", order.size(), a.num_rows));
  Csr<T> b{a.num_rows, a.num_cols, std::vector<Offset>(a.num_rows + 1, 0), {}, {}};
  for (Index i = 0; i < a.num_rows; ++i)
    b.row_offsets[i + 1] = a.row_offsets[order[i] + 1] - a.row_offsets[order[i]];
  allocate(b);
#pragma omp parallel
  {
    std::vector<std::pair<Index, Offset>> row;  // new column, index of the entry in A
#pragma omp for schedule(static)
    for (Index i = 0; i < a.num_rows; ++i) {
      row.clear();
      for (Offset k = a.row_offsets[order[i]]; k < a.row_offsets[order[i] + 1]; ++k)
        row.emplace_back(new_of_old[a.columns[k]], k);
      std::sort(row.begin(), row.end());
      Offset out = b.row_offsets[i];
      for (const auto& [column, from] : row) {
        b.columns[out] = column;
        b.values[out++] = a.values[from];
      }
    }
  }
  return b;
}

template <class T>
Csr<T> block(const Csr<T>& a, Index row_begin, Index row_end, Index col_begin, Index col_end) {
  if (row_begin < 0 || row_begin > row_end || row_end > a.num_rows || col_begin < 0 || col_begin > col_end ||
      col_end > a.num_cols)
    throw InputError(fmt::format("block of rows [{}, {}) and columns [{}, {}) of a {} x {} matrix", row_begin,
                                 row_end, col_begin, col_end, a.num_rows, a.num_cols));
  Csr<T> b{row_end - row_begin, col_end - col_begin, {}, {}, {}};
  b.row_offsets.assign(std::size_t(b.num_rows) + 1, 0);
  std::vector<Offset> first(std::size_t(b.num_rows));
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < b.num_rows; ++i) {
    const auto begin = a.columns.begin() + a.row_offsets[row_begin + i],
               end = a.columns.begin() + a.row_offsets[row_begin + i + 1];
    const auto from = std::lower_bound(begin, end, col_begin);
    first[i] = from - a.columns.begin();
    b.row_offsets[i + 1] = std::lower_bound(from, end, col_end) - from;
  }
  allocate(b);
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < b.num_rows; ++i) {
    const Offset to = b.row_offsets[i], count = b.row_offsets[i + 1] - to;
    for (Offset k = 0; k < count; ++k) {
      b.columns[to + k] = a.columns[first[i] + k] - col_begin;
      b.values[to + k] = a.values[first[i] + k];
    }
  }
  return b;
}

#define CURLEW_INSTANTIATE_CSR_BLOCKS(T)                          \
  template double asymmetry(const Csr<T>&);                       \
  template Csr<T> permute(const Csr<T>&, std::span<const Index>); \
  template Csr<T> block(const Csr<T>&, Index, Index, Index, Index);
CURLEW_INSTANTIATE_CSR_BLOCKS(Complex)
CURLEW_INSTANTIATE_CSR_BLOCKS(ComplexF)
CURLEW_INSTANTIATE_CSR_BLOCKS(double)
CURLEW_INSTANTIATE_CSR_BLOCKS(float)

}  // namespace curlew::linalg
