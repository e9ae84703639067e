// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A format with fewer bytes per nonzero than compressed rows and the formats of the paper: rows with one
// pattern (the degrees of freedom of one face, edge or cell) share their columns, and so do rows that are
// shifts of one another (the nodes of a regular grid); other columns are 16-bit offsets inside a slice, and a
// slice without imaginary parts stores real numbers. The slices are those of Sliced ELLR-T (ell.hpp), one
// warp each.

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
  bool shifted = true;       ///< false: rows that are shifts of one another have separate columns
};

/// How a slice stores its columns.
enum class PackedColumns : std::uint8_t {
  wide,    ///< a 32-bit column per code
  narrow,  ///< a 16-bit column minus the slice's base_column
  shifted  ///< one 32-bit code per step for all lanes: column minus row (one row per lane, group 1)
};

/// Lanes of a slice. Groups of 4 and 6 rows take half a warp: its halves share the columns and take alternate
/// rows, so that a lane has at most three sums.
constexpr Index packed_lanes(int group) {
  return group > 3 ? 16 : 32;
}

/// One warp's work: (P / T) groups of `group` rows, P = packed_lanes(group), T = threads per group. Place T
/// (group's number) + t holds the entries k T + t, k < steps, of its group's columns. The code of step k lies
/// at codes + P k + place (shifted: codes + k), the value of the group's row i at values + P (k group + i) +
/// place.
struct PackedSlice {
  Offset values;      ///< in real_values or complex_values
  Offset codes;       ///< in narrow_codes, or wide_codes
  Index rows;         ///< in rows: (P / T) times `group` row numbers, -1 if there is none
  Index base_column;  ///< a narrow code is a column minus this
  Index steps;
  std::uint8_t group;
  std::uint8_t threads;
  std::uint8_t is_real;
  PackedColumns columns;
};

/// V is the real type of the stored values: double or float. Padding has value 0 and repeats a column of its
/// own row, so that infinite values of x in other rows have no effect.
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

/// Converts back to the same matrix without padding (explicit zeros of A stay).
template <class V>
Csr<std::complex<V>> to_csr(const Packed<V>& a);

template <class V>
std::size_t stored_bytes(const Packed<V>& a) {
  return a.slices.size() * sizeof(PackedSlice) + a.rows.size() * sizeof(Index) +
         a.real_values.size() * sizeof(V) + a.complex_values.size() * 2 * sizeof(V) +
         a.narrow_codes.size() * 2 + a.wide_codes.size() * 4;
}

}  // namespace curlew::linalg
