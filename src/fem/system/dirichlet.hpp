// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Prescribed tangential fields: unknowns with known values are eliminated from a system without changing its
// pattern or its symmetry. With v the known values and zeros elsewhere, b - A v are the right-hand sides of
// the unknown ones; rows and columns of the known ones become those of the unit matrix times a typical
// diagonal entry, and their right-hand sides are this matrix times v. If several processes share a matrix,
// each fixes its rows, and entries of the same position are added.

#include <span>
#include <vector>

#include "base/types.hpp"
#include "linalg/csr.hpp"
#include "linalg/direct/shared_matrix.hpp"

namespace curlew::fem {

/// Known unknowns, ascending, and their values.
struct KnownValues {
  std::span<const Index> known;
  const Complex* values = nullptr;  ///< [known.size(), num_rhs], column-major
  Index num_rhs = 0;

  /// b -= A v, before the matrix is fixed. @param[in,out] b [num_rows, num_rhs], column-major
  void subtract(const linalg::SharedMatrix<Complex>& a, Complex* b) const;
  /// Sets the right-hand sides of the known unknowns; call it after the matrix is fixed. @param diagonal
  /// [known] summed over all processes
  void insert(const std::vector<Complex>& diagonal, Index num_rows, Complex* b) const;
};

/// Makes rows and columns of known unknowns those of a multiple of the unit matrix.
/// @param[in,out] a rows of one process or all, with a symmetric pattern
/// @returns [known] the entries of their diagonal, 0 for rows of other processes
std::vector<Complex> fix_unknowns(std::span<const Index> known, linalg::Csr<Complex>& a);

/// All of these steps for a matrix of one process.
/// @param known, values, num_rhs as KnownValues
/// @param[in,out] a with a symmetric pattern; b [num_rows, num_rhs], column-major
void impose_values(std::span<const Index> known, const Complex* values, Index num_rhs,
                   linalg::Csr<Complex>& a, Complex* b);

}  // namespace curlew::fem
