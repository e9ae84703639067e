// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Dense LU with partial pivoting on the host: LAPACK in double precision, or a factorisation in single
// precision with refinement to the residual of double precision if it converges.

#include <string>
#include <vector>

#include "linalg/dense/matrix.hpp"

namespace curlew::linalg {

/// automatic: mixed from 500 unknowns on if the refinement converges, else full.
enum class LuPrecision { automatic, full, mixed };

struct LuReport {
  std::string method;    ///< "LU in double precision" or "LU in single precision, refined"
  double residual = 0;   ///< largest ||b - A x||_2/||b||_2 of all right-hand sides
  int refinements = 0;   ///< steps of the slowest right-hand side
  double condition = 0;  ///< estimate in the 1-norm; 0: not requested
  double factor_seconds = 0, solve_seconds = 0;
  double set_up_seconds = 0;  ///< by panels: memory of the device, page-locked memory of the host
};

/// Largest relative residual that refinement has to reach; else the factorisation is repeated in double
/// precision.
inline constexpr double refined_residual = 1e-12;

/// Solves A X = B for all columns of B; A is destroyed if it is factored in double precision.
/// @param[in,out] b [n, num_rhs] column-major: right-hand sides in, solutions out
/// @throws NumericalError if the matrix is singular or holds NaN, or if `mixed` is requested and does not
/// converge; ResourceError if the copy in single precision does not fit
LuReport solve_dense(DenseMatrix& a, Complex* b, int num_rhs, LuPrecision precision = LuPrecision::automatic,
                     bool with_condition = true);

/// Bytes that solve_dense needs in addition to the matrix.
std::size_t dense_workspace(Offset n, int num_rhs, LuPrecision precision);

}  // namespace curlew::linalg
