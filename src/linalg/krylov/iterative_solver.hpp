// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A sparse system solved by a Krylov method with a preconditioner, on the CPU or entirely on the GPU, with
// the interface of DirectSolver: prepare a matrix once, then solve for any number of right-hand sides.

#include <memory>
#include <vector>

#include "linalg/csr.hpp"
#include "linalg/krylov/cell_matrices.hpp"
#include "linalg/krylov/iterative_options.hpp"
#include "linalg/krylov/low_rank.hpp"
#include "linalg/krylov/lower_order.hpp"

namespace curlew::linalg {

/// Report of solve: for all columns together and for each.
struct IterativeReport {
  int iterations = 0;            ///< of all columns
  double relative_residual = 0;  ///< the largest true one
  double seconds = 0;            ///< of all columns, without prepare
  std::vector<KrylovReport> columns;
};

class IterativeBackend;

/// Unknowns of the orders that are factorised together: the least size of the coarse level.
/// @param block_offsets as those of IterativeSolver, or empty: one order of all `unknowns`
Index coarse_unknowns(const IterativeOptions& options, const std::vector<Index>& block_offsets,
                      Index unknowns);

/// @throws InputError for options out of range
void check(const IterativeOptions& options);

/// Combines the reports of columns. @throws NumericalError naming the first one that has not converged
IterativeReport report_of(std::vector<KrylovReport> columns, double seconds, const IterativeOptions& options);

class IterativeSolver {
 public:
  /// @param block_offsets first unknowns of the orders and the end, e.g. {0, n0, n0 + n1, n}; {0, n} has one
  /// order.
  ///   Repeated numbers at the end (empty orders) are left out.
  /// @throws InputError for options out of range
  IterativeSolver(const IterativeOptions& options, std::vector<Index> block_offsets);
  ~IterativeSolver();
  IterativeSolver(IterativeSolver&&) noexcept;
  IterativeSolver& operator=(IterativeSolver&&) noexcept;

  /// Builds operator and preconditioner. The matrix must live until the last solve.
  /// @throws NumericalError if A holds a NaN, or a diagonal (block) or the coarse level is singular;
  /// InputError if cocr is used with a matrix that is not symmetric; ResourceError if memory does not
  /// suffice
  /// @param cells of A, used until prepare returns; null: unknown @param lower lower-order problem of A,
  /// instead of the levels of a multilevel preconditioner, used until prepare returns
  void prepare(const Csr<Complex>& a, const LowRank& term = {}, const CellMatrices* cells = nullptr,
               const LowerOrder* lower = nullptr);
  /// Announces the lower-order matrix of the next prepare: its analysis begins in another thread.
  /// @param pattern values are ignored
  void expect_lower(Csr<Complex> pattern);
  /// @param b, x host memory [n, num_rhs], column-major; x is overwritten
  /// @param tolerances [num_rhs] of each column; empty: that of the options
  /// @throws NumericalError with the last true residual if a column does not converge
  IterativeReport solve(const Complex* b, Complex* x, Index num_rhs = 1,
                        const std::vector<double>& tolerances = {});
  const IterativeInfo& info() const;

 private:
  void check_matrix(const Csr<Complex>& a, const LowRank& term);
  std::vector<Index> sort_by_level(const Csr<Complex>& a, const LowRank& term);

  IterativeOptions options_;
  std::vector<Index> offsets_;
  std::vector<Index> order_;  // unknowns level by level, if that differs from their order
  Csr<Complex> permuted_;
  std::unique_ptr<IterativeBackend> backend_;
  IterativeInfo info_;
  LastCoarse last_coarse_;
};

}  // namespace curlew::linalg
