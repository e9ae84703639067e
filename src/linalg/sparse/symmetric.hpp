// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Upper triangle of a complex symmetric matrix for products on the CPU: half the bytes of compressed rows,
// and a quarter where all values are real.

#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// A = U + U^T less the diagonal that both hold. Without conjugation. R is double or float.
template <class R>
class SymmetricCrs {
 public:
  using T = std::complex<R>;
  /// @throws InputError if A is not square, or differs from its transpose anywhere
  explicit SymmetricCrs(const Csr<T>& a);

  Index size() const { return num_rows_; }
  bool is_real() const { return !real_values_.empty(); }
  std::size_t stored_bytes() const;
  /// y = A x by all threads: each adds to its own rows directly and to later rows in a buffer of its own, so
  /// the result depends on the number of threads by rounding only. @param x, y [size()], not overlapping
  void multiply(const T* x, T* y);

 private:
  void plan(int threads);
  void multiply_rows(int part, const T* x, T* y);

  Index num_rows_ = 0;
  std::vector<Offset> row_offsets_;
  std::vector<Index> columns_;
  std::vector<T> values_;
  std::vector<R> real_values_;
  std::vector<Index> part_rows_;              // [parts + 1], rows of each thread
  std::vector<Index> part_end_;               // [parts], one past the last row that it writes
  std::vector<std::vector<T>> part_buffers_;  // rows part_rows_[p + 1] to part_end_[p]
};

}  // namespace curlew::linalg
