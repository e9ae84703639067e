// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fewer bytes per nonzero than compressed rows, past the formats of the paper: rows with one pattern (the
// degrees of freedom of one face, edge or cell) share their columns, and so do rows that are shifts of one
// another (the nodes of a regular grid); other columns are 16-bit offsets inside a slice, and a slice without
// imaginary parts stores real numbers. The slices are those of Sliced ELLR-T (ell.hpp), one warp each.

#include <cstdint>
#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

struct PackOptions {
  int largest_group = 6;  ///< rows that may share one list of columns: 1 (none) to 6
  int target_steps =
      0;  ///< threads per row grow until one has fewer than twice this many columns; 0: by size
  Index sort_window = 8192;  ///< groups ordered by length inside windows of this many groups
  bool real_slices = true;   ///< false: every value stays complex
  bool narrow = true;        ///< false: every column takes 32 bits
  bool shifted = true;       ///< false: rows that are shifts of one another keep columns of their own
};

/// How a slice holds its columns.
enum class PackedColumns : std::uint8_t {
  wide,    ///< a 32-bit column a code
  narrow,  ///< a 16-bit column less the slice's base_column
  shifted  ///< one 32-bit code a step for all lanes: a column less the row (one row a lane, group 1)
};

/// Places side by side in a slice. Groups of 4 and 6 rows take half a warp: its halves share the columns and
/// the rows, every other one each, so that a lane never has more than three sums to keep.
constexpr Index packed_lanes(int group) {
  return group > 3 ? 16 : 32;
}

/// One warp's work: (P / T) groups of `group` rows, P = packed_lanes(group), T = threads places a group.
/// Place T (group's number) + t holds the entries k T + t, k < steps, of its group's columns. The code of
/// step k lies at codes + P k + place (shifted: codes + k), the value of the group's row i at
/// values + P (k group + i) + place.
struct PackedSlice {
  Offset values;      ///< in real_values or complex_values
  Offset codes;       ///< in narrow_codes, or wide_codes
  Index rows;         ///< in rows: (P / T) times `group` row numbers, -1 where there is none
  Index base_column;  ///< a narrow code is a column less this
  Index steps;
  std::uint8_t group;
  std::uint8_t threads;
  std::uint8_t is_real;
  PackedColumns columns;
};

/// V is the real type of the stored values: double or float. Padding has value 0 and repeats a column of its
/// own row, so that it brings no infinity from elsewhere.
template <class V>
struct Packed {
  Index num_rows = 0;
  Index num_cols = 0;
  Offset nnz = 0;
  std::vector<PackedSlice> slices;
  std::vector<Index> rows;
  std::vector<V> real_values;
  std::vector<std::complex<V>> complex_values;
  std::vector<std::uint16_t> narrow_codes;
  std::vector<Index> wide_codes;
};

/// V may be narrower than the matrix: single precision under double precision vectors, for preconditioners.
/// @throws InputError for options out of range
template <class V, class T>
Packed<V> pack(const Csr<T>& a, const PackOptions& options = {});

/// The same matrix back, explicit zeros of the padding dropped (explicit zeros of A stay).
template <class V>
Csr<std::complex<V>> to_csr(const Packed<V>& a);

/// y = A x, threaded over slices; sums in the precision of x. @param x [num_cols] @param y [num_rows]
template <class V, class T>
void multiply(const Packed<V>& a, const T* x, T* y);

template <class V>
std::size_t stored_bytes(const Packed<V>& a) {
  return a.slices.size() * sizeof(PackedSlice) + a.rows.size() * sizeof(Index) +
         a.real_values.size() * sizeof(V) + a.complex_values.size() * 2 * sizeof(V) +
         a.narrow_codes.size() * 2 + a.wide_codes.size() * 4;
}

}  // namespace curlew::linalg
