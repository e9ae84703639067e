// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Some eigenpairs of K x = lambda M x, K and M symmetric (complex: A = A^T, no conjugation) or general, by
// restarted Lanczos or Arnoldi (ARPACK) on a shifted and inverted operator.
// Source: R. Lehoucq, D. Sorensen, C. Yang, ARPACK Users' Guide (1998), ch. 3 (mode 3).

#include <memory>
#include <vector>

#include "linalg/csr.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {

struct EigenOptions {
  int count = 6;     ///< eigenpairs wanted, 1 <= count <= n - 2
  Complex target{};  ///< the shift sigma [unit of lambda]; real for real problems
  /// False: the eigenvalues nearest the target, by 1 / (lambda - sigma).
  /// True: lambda / (lambda - sigma) instead, which sends lambda = 0 to 0: the null space of K, however large
  /// (the gradients of a curl-curl matrix), never enters. Needs sigma != 0, and prefers eigenvalues above the
  /// target to those equally far below: 2 sigma counts like sigma 2/3, and all below sigma / 2 come last.
  bool skip_null_space = true;
  /// Only eigenvalues whose real part lies above the target's, the nearest ones, ascending, and beyond
  /// `count` those within `set_width` (relative) of the last: degenerate sets are not cut. On a coarse mesh
  /// their values differ by as much.
  bool above = false;
  double set_width = 1e-2;
  bool partial = false;      ///< pairs that converge are returned even if not all do
  double drop_below = 0;     ///< pairs with |lambda| below it are removed and counted [unit of lambda]
  double tolerance = 1e-12;  ///< relative tolerance of the Ritz values
  int max_iterations = 300;  ///< restarts
  int subspace = 0;          ///< number of Krylov vectors; 0: max(2 count + 8, 20)
  /// False: complex K and M of any kind (Hermitian ones among them), by LU instead of LDL^T.
  bool symmetric = true;
  DirectOptions direct{.pivot_threshold = 0.01};  ///< symmetry is set by the function
};

/// Pairs ordered by |lambda - target|, or ascending (EigenOptions::above).
template <class T>
struct EigenResult {
  std::vector<Complex> values;    ///< [found]
  std::vector<T> vectors;         ///< [n, found], column-major, |x^H M x| = 1, the largest entry positive
  std::vector<double> residuals;  ///< [found] ||K x - lambda M x|| / (||K x|| + |lambda| ||M x||)
  int dropped = 0;                ///< pairs removed by drop_below
  int missing = 0;                ///< pairs that did not converge (EigenOptions::partial)
  int products = 0;               ///< solves with the factored matrix
  DirectInfo direct;
  std::shared_ptr<DirectSolver<T>> solver{};  ///< analysed, with the factors of K - target M
};

/// Eigenpairs nearest a target. Matrices without imaginary parts and a real target run in real arithmetic (a
/// quarter of the work); M must then be positive definite.
/// @param k, m [n, n], symmetric unless the options say otherwise; the patterns may differ
/// @throws InputError for sizes or options out of range; NumericalError if the target is an eigenvalue to
///   rounding, and unless options.partial if the iteration does not converge or a residual exceeds 1e-6
EigenResult<Complex> eigenpairs(const Csr<Complex>& k, const Csr<Complex>& m, const EigenOptions& options);
/// @param analysed solver for the pattern of K + M, in place of a new one; null: none
EigenResult<double> eigenpairs(const Csr<double>& k, const Csr<double>& m, const EigenOptions& options,
                               std::shared_ptr<DirectSolver<double>> analysed = nullptr);

/// Number of eigenvalues below a shift, by the signs of the pivots of K - shift M (Sylvester's law): proves
/// that no eigenvalue between two shifts was missed. The null space is counted if the shift is positive.
/// @param m positive definite @param analysed as above @throws NumericalError if the shift is an eigenvalue
/// to rounding
Index count_below(const Csr<double>& k, const Csr<double>& m, double shift,
                  std::shared_ptr<DirectSolver<double>> analysed = nullptr);

}  // namespace curlew::linalg
