// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cell matrices of a finite-element matrix, for preconditioners that use parts of it.

#include <array>
#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// A small dense matrix among the unknowns of a cell or a face.
struct DenseTerm {
  std::vector<Index> rows;       ///< of A; -1: not an unknown
  std::vector<Complex> entries;  ///< [rows, rows]
};

/// Called from several threads.
class CellMatrices {
 public:
  virtual ~CellMatrices() = default;
  virtual Index num_cells() const = 0;
  virtual Index num_faces() const = 0;
  /// Rows of matrix_of. @param[out] rows overwritten
  virtual void rows_of(Index cell, std::vector<Index>& rows) const = 0;
  /// The cell's part of A, without conditions on outer surfaces.
  virtual DenseTerm matrix_of(Index cell) const = 0;
  /// The two cells of a face; the second is -1 on the boundary.
  virtual std::array<Index, 2> cells_beside(Index face) const = 0;
  /// Impedance term at a face that absorbs waves along its normal, as if the medium of a cell continued
  /// beyond it.
  virtual DenseTerm impedance_of(Index face, Index beyond) const = 0;
};

}  // namespace curlew::linalg
