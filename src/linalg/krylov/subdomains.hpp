// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Overlapping subdomains of a sparse matrix, from its graph: parts of equal size, each extended by layers of
// neighbours.

#include <algorithm>
#include <vector>

#include "linalg/csr.hpp"
#include "linalg/krylov/cell_matrices.hpp"

namespace curlew::linalg {

/// The subdomains' matrices as one block-diagonal matrix, and the rows of A that its rows belong to. With R
/// the restriction to all subdomains, z = R^T W_out matrix^-1 W_in R r is the Schwarz preconditioner.
struct Subdomains {
  Csr<Complex> matrix;
  std::vector<Index> rows;      ///< [extended] the row of A of each row of the matrix
  std::vector<double> into;     ///< [extended] W_in
  std::vector<double> out;      ///< [extended] W_out
  std::vector<Offset> offsets;  ///< [n + 1] of each row of A, in places
  std::vector<Index> places;    ///< rows of the matrix that belong to this row of A, ascending
  std::vector<Index> first;     ///< [parts + 1] first row of the matrix of each part, and the end
  std::vector<Index> part_of;   ///< [n] the part of a row of A without overlap
  /// The part of a row of the matrix.
  Index part_at(Index place) const {
    return Index(std::upper_bound(first.begin(), first.end(), place) - first.begin()) - 1;
  }
};

/// @param a square with a symmetric pattern @param parts 1 or more @param layers of overlap, 0 or more
/// @param symmetric false: restricted Schwarz, where each part contributes only its rows without overlap to
/// the solution (W_in = 1; fewer iterations). true: W_in = W_out, for complex symmetric Krylov methods
/// @param cells of A: subdomains then end with impedances (impedance.hpp); needs at least one layer Source:
/// X.-C. Cai, M. Sarkis, SIAM J. Sci. Comput. 21 (1999) 792.
Subdomains divide(const Csr<Complex>& a, Index parts, int layers, bool symmetric,
                  const CellMatrices* cells = nullptr);

}  // namespace curlew::linalg
