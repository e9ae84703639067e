// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Factors in single precision for a preconditioner, which needs little accuracy: half the memory and half the
// time. They are tested with a random right-hand side; if not accurate enough, double precision is used.

#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/shared_matrix.hpp"

namespace curlew::linalg {

/// Largest norm of (I - A M) b relative to b, with M the inverse by the factors. An iteration of the
/// multilevel cycle reduces the residual by a factor of two to three, so that this costs no iterations.
constexpr double most_left_by_short_factors = 0.01;

/// Factorises an analysed matrix. Collective within one step if the matrix is distributed. @param a the
/// matrix, including the parts of other processes if distributed @returns false if a pivot vanished, or if
/// the residual for a random right-hand side is too large
bool factor_and_try(DirectSolver<Complex>& solver, const SharedMatrix<Complex>& a);

}  // namespace curlew::linalg
