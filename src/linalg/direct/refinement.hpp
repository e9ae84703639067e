// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Iterative refinement of direct solutions, and when one counts as solved.
//
// Corrections x += A⁻¹(b - A x) go on until every column's residual is below the tolerance or stagnates.
// Where |A||x| far exceeds |b| rounding alone keeps the residual above any fixed tolerance: such a column
// counts as solved if it solves a system that differs from the given one by rounding, and if a further
// correction would not change it: the size of the correction is cond(A) times rounding, the error of the
// solution itself. Source: Higham (2002), Accuracy and Stability of Numerical Algorithms, theorem 7.1 and
// ch. 12.

#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/shared_matrix.hpp"

namespace curlew::linalg {

/// Of the worst column.
struct RefinedSolution {
  double residual = 0;        ///< ||b - A x|| / ||b||, 2-norms
  double backward_error = 0;  ///< max |b - A x| / (||A|| max |x| + max |b|), maximum norms
  double correction = 0;      ///< ||last correction|| / ||x||, of columns above the tolerance: their error
  int steps = 0;              ///< corrections
  bool at_rounding = false;   ///< above the tolerance, solved to rounding
};

/// Greatest correction [relative to x] of a solution that counts as solved to rounding.
constexpr double rounding_correction = 1e-6;
/// Greatest backward error of the same: unknowns times the unit of rounding, 1e-15 at least.
double rounding_backward_error(Index unknowns);

/// Starts and corrects columns until they are solved or nothing is gained.
RefinedSolution refine(RefinedColumns& columns, Index num_rows, Index num_rhs, double tolerance);
inline bool is_solved(const RefinedSolution& s, double tolerance) {
  return s.residual <= tolerance || s.at_rounding;
}
/// @throws NumericalError always: that a solution is none
[[noreturn]] void refuse_solution(const RefinedSolution& s, double tolerance);

/// Solves A X = B and corrects X, beside the factors where the solver can.
template <class T>
RefinedSolution refine(DirectSolver<T>& solver, const SharedMatrix<T>& a, const T* b, T* x, Index num_rhs,
                       double tolerance);

/// The same. If that leaves more than the tolerance, A is factored again with pivoting.
/// @param a the matrix that was factored
/// @param b, x [unknowns, num_rhs], column-major, not overlapping
/// @param tolerance of the residual, > 0
/// @throws NumericalError if the residual ends above the tolerance and the solution is not right to rounding
template <class T>
RefinedSolution solve_refined(DirectSolver<T>& solver, const SharedMatrix<T>& a, const T* b, T* x,
                              Index num_rhs = 1, double tolerance = 1e-11);
template <class T>
RefinedSolution solve_refined(DirectSolver<T>& solver, const Csr<T>& a, const T* b, T* x, Index num_rhs = 1,
                              double tolerance = 1e-11) {
  return solve_refined(solver, SharedMatrix<T>(a), b, x, num_rhs, tolerance);
}

}  // namespace curlew::linalg
