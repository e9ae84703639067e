// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// GMRES with the multilevel preconditioner on a matrix whose rows are distributed to the processes of an MPI
// run. Vectors are distributed like rows; loop and cycle are those of one process (loop.hpp,
// multilevel_cycle.hpp) on local parts, with products that exchange halo values, sweeps with one layer of
// overlap (spread_smoother.hpp) and a coarse level factorised by MUMPS on all processes. Process 0 announces
// set-up and solutions, which are collective.

#include <memory>
#include <vector>

#include "linalg/direct/mumps.hpp"
#include "linalg/krylov/iterative_solver.hpp"

namespace curlew::linalg {

/// Whether options are supported on several processes: gmres with the multilevel preconditioner on CPUs, its
/// coarse level factorised without subdomains. @param device of the run
bool can_spread(const IterativeOptions& options, Device device);

/// Steps of process 0: set-up, and solution for some right-hand sides.
struct PrepareSpread {};
struct SolveSpread {
  Index num_rhs;
};

class SpreadSolver {
 public:
  /// @param options direct.processes share the rows @param block_offsets as those of IterativeSolver @throws
  /// InputError for options out of range
  SpreadSolver(const IterativeOptions& options, std::vector<Index> block_offsets);
  ~SpreadSolver();
  SpreadSolver(const SpreadSolver&) = delete;
  SpreadSolver& operator=(const SpreadSolver&) = delete;

  /// Called on process 0. @param own its rows; entries of the same position on several processes are added.
  /// On return all entries are removed on all processes; only num_rows and num_cols remain. @throws as
  /// IterativeSolver::prepare
  void prepare(Csr<Complex>& own, const LowRank& term);
  /// Called on process 0, as IterativeSolver::solve.
  IterativeReport solve(const Complex* b, Complex* x, Index num_rhs, const std::vector<double>& tolerances);
  /// y = A x of the prepared matrix, without the term. Called on process 0. @param x, y [num_rows]
  void multiply(const Complex* x, Complex* y) const;
  /// Frees the prepared data. Collective.
  void forget();
  /// On other processes: takes a step of process 0. @returns false if it is not for this solver
  bool join(const GroupStep& step, Csr<Complex>& own);
  const IterativeInfo& info() const { return info_; }

 private:
  class System;
  const ProcessGroup& processes() const { return *options_.direct.processes; }
  void prepare_together(Csr<Complex>& own, LowRank term);
  std::vector<KrylovReport> solve_together(const Complex* b, Complex* x, Index num_rhs,
                                           std::vector<double> tolerances);

  IterativeOptions options_;
  std::vector<Index> offsets_;
  std::unique_ptr<System> system_;
  IterativeInfo info_;
};

}  // namespace curlew::linalg
