// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Compressed sparse rows, the format that assembly writes, files hold and direct solvers read, with small
// operations that many modules need. T is Complex, ComplexF, double or float.

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace curlew::linalg {

/// Columns of a row ascend and occur once.
template <class T>
struct Csr {
  Index num_rows = 0;
  Index num_cols = 0;
  std::vector<Offset> row_offsets{0};  ///< [num_rows + 1]
  std::vector<Index> columns;          ///< [nnz]
  std::vector<T> values;               ///< [nnz]

  Offset nnz() const { return row_offsets.back(); }
};

/// Rows, columns and values of single entries, in any order; entries with the same row and column are added.
template <class T>
struct Coo {
  Index num_rows = 0;
  Index num_cols = 0;
  std::vector<Index> rows;     ///< [n]
  std::vector<Index> columns;  ///< [n]
  std::vector<T> values;       ///< [n]

  void add(Index row, Index column, T value) {
    rows.push_back(row), columns.push_back(column), values.push_back(value);
  }
};

/// Sorts and sums the entries. @throws InputError if an entry lies outside the matrix
template <class T>
Csr<T> to_csr(const Coo<T>& coo);

/// The identity matrix.
template <class T>
Csr<T> identity(Index n);

/// @throws InputError unless offsets ascend from 0, columns ascend within a row and lie in range, and array
///   lengths agree; `what` names the matrix in the message
template <class T>
void check_structure(const Csr<T>& a, const char* what);

/// @throws NumericalError naming the first row and column that holds a NaN or an infinity
template <class T>
void check_finite(const Csr<T>& a, const char* what);

/// Hash of the pattern (sizes, offsets, columns): equal patterns have equal hashes.
template <class T>
std::uint64_t pattern_hash(const Csr<T>& a);

template <class T>
Csr<T> transpose(const Csr<T>& a);

/// alpha A + beta B; the patterns may differ. @throws InputError if the sizes differ
template <class T>
Csr<T> add(T alpha, const Csr<T>& a, T beta, const Csr<T>& b);

/// y = A x, threaded over rows. @param x [num_cols] @param y [num_rows], not overlapping x
template <class T>
void multiply(const Csr<T>& a, const T* x, T* y);
/// Y = A X for n columns. @param x [num_cols, n] @param y [num_rows, n], column-major
template <class T>
void multiply(const Csr<T>& a, const T* x, T* y, Index n);

/// max |a_ij - a_ji| / max |a_ij|; no conjugation. 0 for an empty matrix. @throws InputError if not square
template <class T>
double asymmetry(const Csr<T>& a);

/// B(i, j) = A(order[i], order[j]). @param order a permutation of 0..n-1
/// @throws InputError if A is not square or `order` is no permutation
template <class T>
Csr<T> permute(const Csr<T>& a, std::span<const Index> order);

/// The block of rows [row_begin, row_end) and columns [col_begin, col_end), numbered from zero.
/// @throws InputError if a range is not inside the matrix
template <class T>
Csr<T> block(const Csr<T>& a, Index row_begin, Index row_end, Index col_begin, Index col_end);

/// The matrix of the real parts; imaginary parts are dropped.
Csr<double> real_part(const Csr<Complex>& a);
/// True if every imaginary part is exactly zero.
bool is_real(const Csr<Complex>& a);

/// Largest column of b - A x by the 2-norm, relative to that column of b (a zero column of b: absolute).
/// @param x [num_cols, n] @param b [num_rows, n], column-major
template <class T>
double relative_residual(const Csr<T>& a, const T* x, const T* b, Index n = 1);

}  // namespace curlew::linalg
