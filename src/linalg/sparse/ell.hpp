// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The Ellpack family: ELL-R, Sliced ELL, ELLR-T and Sliced ELLR-T are one layout with a slice height, threads
// per row and an order of the rows.
// Source: A. Dziekonski, A. Lamecki, M. Mrozowski, "A memory efficient and fast sparse matrix vector product
// on a GPU", PIER 116 (2011), section 3, and its references [22]-[24] (Vazquez, Monakov).

#include <string>
#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

enum class EllKind { ell_r, sliced_ell, ellr_t, sliced_ellr_t };
/// "ELL-R", "Sliced ELL", "ELLR-T", "Sliced ELLR-T".
const char* name_of(EllKind kind);

struct EllOptions {
  EllKind kind = EllKind::sliced_ellr_t;
  Index slice_height = 64;   ///< S, rows of a slice; ignored by the two kinds without slices
  int threads_per_row = 4;   ///< T, a power of two, 1..32; ignored by the kinds without "-T"
  Index row_alignment = 64;  ///< N' of the paper is the number of rows rounded up to this
  int alignment = 16;        ///< a slice begins at a multiple of this many entries
  /// Rows are ordered by length within windows of this many rows: 0: unchanged, -1: all rows (the paper). A
  /// window keeps neighbours close together, which improves the locality of x.
  Index sort_window = 0;
};

/// Position p is row row_of[p] (row p if row_of is empty). Entry k of the row at position p = s S + r lies at
///   slice_offsets[s] + (k / T) S T + r T + k % T,
/// so that T threads per row read contiguously. Padding has value 0 and column 0, and products skip it.
template <class T>
struct Ell {
  Index num_rows = 0;
  Index num_cols = 0;
  Offset nnz = 0;  ///< without padding
  Index slice_height = 1;
  int threads_per_row = 1;
  std::vector<Index> row_of;          ///< [num_rows], or empty
  std::vector<Index> row_lengths;     ///< [num_slices * slice_height], by position
  std::vector<Offset> slice_offsets;  ///< [num_slices + 1]
  std::vector<Index> columns;         ///< [slice_offsets.back()]
  std::vector<T> values;              ///< the same

  Index num_slices() const { return Index(slice_offsets.size()) - 1; }
};

/// T is Complex or ComplexF. @throws InputError for options out of range
template <class T>
Ell<T> to_ell(const Csr<T>& a, const EllOptions& options);

/// Converts back to the same matrix with the same bits; columns of a row in their original order.
template <class T>
Csr<T> to_csr(const Ell<T>& a);

}  // namespace curlew::linalg
