// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Iterative refinement of direct solutions, and when one counts as solved.
//
// Corrections x += A⁻¹(b - A x) continue until every column's residual is below its aim, which is below the
// tolerance, or stagnates. With factors of relative accuracy e a step multiplies the residual by e cond(A):
// in single precision 6e-8 cond(A), which may be more than 1. Then each step is a Krylov iteration
// preconditioned by the factors, if given. Source: Carson and Higham (2018), SIAM J. Sci. Comput. 40(2),
// A817, iterative refinement in three precisions. If |A||x| far exceeds |b|, rounding errors keep the
// residual above any fixed tolerance: such a column counts as solved if it solves a system that differs from
// the given one by rounding errors, and if a further correction would not change it: the correction is
// cond(A) times the rounding error, the error of the solution. Source: Higham (2002), Accuracy and Stability
// of Numerical Algorithms, theorem 7.1 and ch. 12.

#include <functional>

#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/shared_matrix.hpp"

namespace curlew::linalg {

/// Result of a refined solution: values of the worst column.
struct RefinedSolution {
  double residual = 0;        ///< ||b - A x|| / ||b||, 2-norms
  double backward_error = 0;  ///< max |b - A x| / (||A|| max |x| + max |b|), maximum norms
  double correction = 0;  ///< estimate of the error: last ||correction|| / ||x||, columns above the tolerance
  int steps = 0;          ///< corrections
  bool at_rounding = false;  ///< above the tolerance, solved to rounding
  bool is_unsure = false;    ///< below the tolerance, but a further correction may change the solution
};

/// Greatest correction [relative to x] of a solution that counts as solved to rounding.
constexpr double rounding_correction = 1e-6;
/// Greatest backward error of such a solution: unknowns times the unit roundoff, at least 1e-15.
double rounding_backward_error(Index unknowns);

/// A system and an approximate solver.
template <class T>
struct RefinedSystem {
  Index num_rows = 0;
  std::function<void(const T* x, T* y, Index n)> multiply;    ///< Y = A X
  std::function<void(const T* r, T* z, Index n)> substitute;  ///< Z, near A⁻¹ R
  std::function<double()> norm_max;                           ///< the largest sum of the moduli of a row
  /// `substitute` uses factors in single precision. Their corrections estimate the error less well: a column
  /// counts as solved by its residual and a small last correction together, not by rounding.
  bool is_short = false;
};
/// The same system with another `substitute`.
template <class T>
using Accelerate = std::function<RefinedSystem<T>(const RefinedSystem<T>&)>;

/// Initial values of the solutions.
enum class RefinedFrom { substitution, given };

/// Corrects columns until they are solved or do not improve. @param accelerate for factors in single
/// precision: method used if plain corrections converge slowly
template <class T>
RefinedSolution refine(const RefinedSystem<T>& system, const T* b, T* x, Index num_rhs, double tolerance,
                       RefinedFrom from = RefinedFrom::substitution, const Accelerate<T>& accelerate = {});
inline bool is_solved(const RefinedSolution& s, double tolerance) {
  return (s.residual <= tolerance && !s.is_unsure) || s.at_rounding;
}
/// Throws NumericalError with the residual of an inaccurate solution.
[[noreturn]] void refuse_solution(const RefinedSolution& s, double tolerance);

/// Solves A X = B and corrects X, in the memory of the factors if possible. @param accelerate used if the
/// factors are in single precision
template <class T>
RefinedSolution refine(DirectSolver<T>& solver, const SharedMatrix<T>& a, const T* b, T* x, Index num_rhs,
                       double tolerance, const Accelerate<T>& accelerate = {});

/// The same; if the residual exceeds the tolerance, A is factorised again more accurately. @param a the
/// factorised matrix
/// @param b, x [unknowns, num_rhs], column-major, not overlapping
/// @param tolerance of the residual, > 0
/// @throws NumericalError if the final residual is above the tolerance and the solution not accurate to
/// rounding
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
