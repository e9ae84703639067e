// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Upper triangle of a complex symmetric matrix for products on the CPU: half the bytes of compressed rows,
// and a quarter where values are real. Rows with one pattern (row_groups.hpp) share their columns, so that
// values of a column are loaded and stored once for all of them.

#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// A = U + U^T minus the diagonal blocks, which are in both, without conjugation. Unknowns are numbered group
/// by group inside. R is double or float.
template <class R>
class SymmetricCrs {
 public:
  using T = std::complex<R>;
  /// @throws InputError if A is not square, or differs from its transpose anywhere
  explicit SymmetricCrs(const Csr<T>& a);

  Index size() const { return num_rows_; }
  bool is_real() const { return complex_values_.empty(); }
  std::size_t stored_bytes() const;
  /// Y = A X by all threads: each adds to its rows directly and to later rows in a separate buffer, so the
  /// result depends on the number of threads by rounding only. @param x, y n columns of [size()] with leading
  /// dimensions ldx and ldy, not overlapping
  void multiply(const T* x, Offset ldx, T* y, Offset ldy, Index n);
  void multiply(const T* x, T* y) { multiply(x, 0, y, 0, 1); }

 private:
  /// Rows first_row, ... of one pattern, with their columns right of the group.
  struct Group {
    Index first_row;
    std::uint8_t size;  ///< 1, 2, 3, 4 or 6
    bool is_real;       ///< its values are in real_values_
    Offset columns;     ///< in columns_, up to those of the next group
    Offset values;      ///< the diagonal block [size, size], then [columns, size]
  };

  void sort_groups(const Csr<T>& a);
  void fill(const Csr<T>& a, std::size_t group, const std::vector<Index>& place);
  void plan(int threads);
  void multiply_block(const T* x, Offset ldx, T* y, Offset ldy, Index n);
  void multiply_part(int part, Index n);
  T collect(Index i, Index c) const;

  Index num_rows_ = 0;
  std::vector<Index> order_;   // the row of A that is row i here
  std::vector<Group> groups_;  // and an end mark
  std::vector<Index> columns_;
  std::vector<T> complex_values_;
  std::vector<R> real_values_;
  std::vector<std::size_t> part_groups_;      // [parts + 1], groups of each thread
  std::vector<Index> part_end_;               // [parts], one past the last row that it writes
  std::vector<std::vector<T>> part_buffers_;  // rows of later parts, up to part_end_[p], columns
  std::vector<T> x_, y_;                      // [size(), columns] in the order of the groups
};

}  // namespace curlew::linalg
