// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// GMRES with the multilevel preconditioner on a matrix whose rows are distributed to the processes of an MPI
// run. Vectors are distributed as rows are; loop and cycle are those of one process (loop.hpp,
// multilevel_cycle.hpp) on the own part of each, with products that fetch what they need of their neighbours,
// sweeps that reach one layer into their rows (spread_smoother.hpp) and a coarse level that MUMPS factorises
// on all of them. Process 0 leads: it announces set-up and solutions, which all then do together.

#include <memory>
#include <vector>

#include "linalg/direct/mumps.hpp"
#include "linalg/krylov/iterative_solver.hpp"

namespace curlew::linalg {

/// Whether options can be had on several processes: gmres with the multilevel preconditioner on CPUs, its
/// coarse level factorised as a whole. @param device of the run
bool can_spread(const IterativeOptions& options, Device device);

class SpreadSolver {
 public:
  /// @param block_offsets as those of IterativeSolver @throws InputError for options out of range
  SpreadSolver(const IterativeOptions& options, std::vector<Index> block_offsets);
  ~SpreadSolver();
  SpreadSolver(const SpreadSolver&) = delete;
  SpreadSolver& operator=(const SpreadSolver&) = delete;

  /// On process 0. @param own its rows; entries of one place on several processes are added. They are gone
  /// then, on all processes: num_rows and num_cols are left
  /// @throws what IterativeSolver::prepare throws
  void prepare(Csr<Complex>& own, const LowRank& term);
  /// On process 0, as IterativeSolver::solve.
  IterativeReport solve(const Complex* b, Complex* x, Index num_rhs, const std::vector<double>& tolerances);
  /// y = A x of what was prepared, without the term. On process 0. @param x, y [num_rows]
  void multiply(const Complex* x, Complex* y) const;
  /// What is prepared is not needed any more. On all processes at the same point.
  void forget();
  /// A step of process 0. On the others. @returns false if it is not for this solver
  bool join(const GroupStep& step, Csr<Complex>& own);
  const IterativeInfo& info() const { return info_; }

 private:
  class System;
  void prepare_together(Csr<Complex>& own, LowRank term);
  std::vector<KrylovReport> solve_together(const Complex* b, Complex* x, Index num_rhs,
                                           std::vector<double> tolerances);

  IterativeOptions options_;
  std::vector<Index> offsets_;
  std::unique_ptr<System> system_;
  IterativeInfo info_;
};

}  // namespace curlew::linalg
