// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Bytes of a stored matrix, by the paper's formulas and by counting what is stored.
// Source: Dziekonski et al. (see ell.hpp), equations (1) and (2), there for complex double (w = 16 bytes).

#include <cstddef>

#include "linalg/csr.hpp"
#include "linalg/sparse/ell.hpp"

namespace curlew::linalg {

/// Equation (1): w NNZ + 4 (NNZ + N). @param w bytes of a value
inline double crs_footprint(Offset nnz, Index rows, std::size_t w) {
  return double(w) * nnz + 4.0 * (double(nnz) + rows);
}
/// Equation (2): w Nmax N' + 4 (Nmax N' + N). @param padded_rows N', rows rounded up to the alignment
inline double ell_r_footprint(Index longest, Index rows, Index padded_rows, std::size_t w) {
  const double stored = double(longest) * padded_rows;
  return double(w) * stored + 4.0 * (stored + rows);
}

/// Bytes that the arrays take. Offsets of rows count 8 bytes here and 4 in equation (1).
template <class T>
std::size_t stored_bytes(const Csr<T>& a) {
  return a.values.size() * sizeof(T) + a.columns.size() * sizeof(Index) +
         a.row_offsets.size() * sizeof(Offset);
}
template <class T>
std::size_t stored_bytes(const Ell<T>& a) {
  return a.values.size() * (sizeof(T) + sizeof(Index)) +
         (a.row_lengths.size() + a.row_of.size()) * sizeof(Index) + a.slice_offsets.size() * sizeof(Offset);
}

}  // namespace curlew::linalg
