// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The lowest-order problem of a matrix, for a two-level preconditioner (lower_order_cycle.hpp).

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// N functions of the lowest order, which are among those of the matrix of n unknowns.
struct LowerOrder {
  Csr<Complex> interpolation;  ///< [n, N] coefficients of the functions
  Csr<Complex> matrix;         ///< [N, N] matrix of the lowest order
};

}  // namespace curlew::linalg
