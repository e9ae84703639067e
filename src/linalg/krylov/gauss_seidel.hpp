// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Block Gauss-Seidel sweeps in colours: rows of one pattern (the unknowns of one edge, face or cell) are
// solved together, and groups of one colour are not coupled, so that each colour is one parallel loop. A
// forward and a backward sweep are each other's transpose for a symmetric matrix. A smoother for the higher
// orders of hierarchical elements, where Jacobi steps diverge at order 3. Source: Y. Saad, Iterative Methods
// for Sparse Linear Systems (2003), sections 4.1 and 12.4.

#include <cstdint>
#include <vector>

#include "linalg/csr.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

/// Indices of one group in the arrays of ColouredRows.
struct ColouredGroup {
  Offset values;   ///< values of its rows, [size, length]
  Offset columns;  ///< its columns, [length]: those of its rows outside of the group
  Offset inverse;  ///< the inverse of its diagonal block, [size, size], row-major
  Index rows;      ///< its row numbers, [size]
  Index length;
  Index size;  ///< 1, 2, 3, 4 or 6
};

/// Values are stored in single precision, which suffices for a smoother; memory bandwidth limits the sweep.
struct ColouredRows {
  Index num_rows = 0;
  std::vector<Index> colour_offsets;  ///< [colours + 1], in groups
  std::vector<ColouredGroup> groups;  ///< colour by colour
  std::vector<Index> rows;
  std::vector<Index> columns;
  std::vector<complex<float>> values;
  std::vector<complex<float>> inverses;

  int num_colours() const { return int(colour_offsets.size()) - 1; }
  /// Removes the groups whose first row is marked: sweeps do not change them.
  /// @param marked [num_rows] 1 or 0
  void take_out(const std::vector<char>& marked);
};

/// T is Complex or ComplexF.
/// @throws InputError if A is not square or needs more than 256 colours (its rows are too dense);
///   NumericalError naming a row whose diagonal block is singular or not finite
template <class T>
ColouredRows colour_rows(const Csr<T>& a);

/// z is improved in place, group by group, z_g = A_gg^-1 (r_g - sum of the others).
template <class R>
class GaussSeidel {
 public:
  explicit GaussSeidel(ColouredRows rows) : rows_(std::move(rows)) {}
  /// @param r, z n columns of [num_rows] with leading dimensions ldr and ldz, not overlapping
  void sweep(bool forward, const complex<R>* r, Offset ldr, complex<R>* z, Offset ldz, Index n) const;
  void sweep(bool forward, const complex<R>* r, complex<R>* z) const { sweep(forward, r, 0, z, 0, 1); }
  const ColouredRows& rows() const { return rows_; }
  void take_out(const std::vector<char>& marked) { rows_.take_out(marked); }

 private:
  void solve_group(const ColouredGroup& group, const complex<R>* r, complex<R>* z) const;

  ColouredRows rows_;
};

}  // namespace curlew::linalg
