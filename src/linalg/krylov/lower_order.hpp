// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The problem of a matrix by its lowest order, for a preconditioner of two levels (lower_order_cycle.hpp).

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// N functions of the lowest order, which are among those of the matrix of n unknowns.
struct LowerOrder {
  Csr<Complex> interpolation;  ///< [n, N] the functions by the unknowns
  Csr<Complex> matrix;         ///< [N, N] what is solved for them
};

}  // namespace curlew::linalg
