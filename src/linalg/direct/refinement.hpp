// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Iterative refinement of direct solutions, and when one counts as solved.
//
// Corrections x += A⁻¹(b - A x) continue until every column's residual is below its aim, which is below the
// tolerance, or stagnates. With factors that give A⁻¹ to a share e of itself, a step leaves e cond(A) of the
// residual: in single precision 6e-8 cond(A), which may be more than 1. Then each step is an iteration over
// the factors, where that is given (Krylov methods stand in another folder). Source: Carson and Higham
// (2018), SIAM J. Sci. Comput. 40(2), A817, iterative refinement in three precisions. Where |A||x| far
// exceeds |b| rounding alone keeps the residual above any fixed tolerance: such a column counts as solved if
// it solves a system that differs from the given one by rounding, and if a further correction would not
// change it: the size of the correction is cond(A) times rounding, the error of the solution itself. Source:
// Higham (2002), Accuracy and Stability of Numerical Algorithms, theorem 7.1 and ch. 12.

#include <functional>

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
  bool is_unsure = false;     ///< below the tolerance, but a further correction may change the solution
};

/// Greatest correction [relative to x] of a solution that counts as solved to rounding.
constexpr double rounding_correction = 1e-6;
/// Greatest backward error of the same: unknowns times the unit of rounding, 1e-15 at least.
double rounding_backward_error(Index unknowns);

/// A system, and what takes its right-hand sides near to the solutions.
template <class T>
struct RefinedSystem {
  Index num_rows = 0;
  std::function<void(const T* x, T* y, Index n)> multiply;    ///< Y = A X
  std::function<void(const T* r, T* z, Index n)> substitute;  ///< Z, near A⁻¹ R
  std::function<double()> norm_max;                           ///< the largest sum of the moduli of a row
  /// `substitute` is by factors in single precision. Their corrections tell less of the error: a column
  /// counts as solved by its residual and a small last correction together, not by rounding.
  bool is_short = false;
};
/// The same system with another `substitute`.
template <class T>
using Accelerate = std::function<RefinedSystem<T>(const RefinedSystem<T>&)>;

/// Where the solutions of columns begin.
enum class RefinedFrom { substitution, given };

/// Corrects columns until they are solved or nothing is gained.
/// @param accelerate for factors in single precision: what to continue with where plain corrections are slow
template <class T>
RefinedSolution refine(const RefinedSystem<T>& system, const T* b, T* x, Index num_rhs, double tolerance,
                       RefinedFrom from = RefinedFrom::substitution, const Accelerate<T>& accelerate = {});
inline bool is_solved(const RefinedSolution& s, double tolerance) {
  return (s.residual <= tolerance && !s.is_unsure) || s.at_rounding;
}
/// @throws NumericalError always: that a solution is none
[[noreturn]] void refuse_solution(const RefinedSolution& s, double tolerance);

/// Solves A X = B and corrects X, beside the factors where the solver can.
/// @param accelerate serves where the factors are in single precision
template <class T>
RefinedSolution refine(DirectSolver<T>& solver, const SharedMatrix<T>& a, const T* b, T* x, Index num_rhs,
                       double tolerance, const Accelerate<T>& accelerate = {});

/// The same. Where that leaves more than the tolerance, A is factored again with more digits.
/// @param a the matrix that was factored
/// @param b, x [unknowns, num_rhs], column-major, not overlapping
/// @param tolerance of the residual, > 0
/// @throws NumericalError if the residual ends above the tolerance and the solution is not right to rounding
template <class T>
RefinedSolution solve_refined(DirectSolver<T>& solver, const SharedMatrix<T>& a, const T* b, T* x,
                              Index num_rhs = 1, double tolerance = 1e-11,
                              const Accelerate<T>& accelerate = {});
template <class T>
RefinedSolution solve_refined(DirectSolver<T>& solver, const Csr<T>& a, const T* b, T* x, Index num_rhs = 1,
                              double tolerance = 1e-11) {
  return solve_refined(solver, SharedMatrix<T>(a), b, x, num_rhs, tolerance);
}

}  // namespace curlew::linalg
