// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Factors in single precision for a preconditioner, which needs few digits: half the memory and half the
// time. They are tried on a random right-hand side, and where they do not serve those in double precision do.

#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/shared_matrix.hpp"

namespace curlew::linalg {

/// What E = I - A M may leave of a right-hand side, M being the factors' inverse. An iteration of the
/// multilevel cycle gains a factor of two to three, so that this costs none.
constexpr double most_left_by_short_factors = 0.01;

/// Factors a matrix that has been analysed. Of a distributed matrix all processes call it within one step.
/// @param a the matrix with, where it is spread, what the other processes have of it
/// @returns false if a pivot vanished, or if the solution for a random right-hand side leaves too much of it
bool factor_and_try(DirectSolver<Complex>& solver, const SharedMatrix<Complex>& a);

}  // namespace curlew::linalg
