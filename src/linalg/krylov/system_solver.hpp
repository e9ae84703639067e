// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One interface for programs: a sparse system solved directly or by a Krylov method, as set by [solver].
// Analyse a pattern once, prepare a matrix per frequency, solve for any number of right-hand sides.

#include <future>
#include <optional>

#include "linalg/direct/matrix_sum.hpp"
#include "linalg/direct/refinement.hpp"
#include "linalg/direct/shared_matrix.hpp"
#include "linalg/krylov/iterative_solver.hpp"
#include "linalg/krylov/spread_solver.hpp"

namespace curlew::linalg {

/// Number type of the factors of a direct solver on the CPU, in a run of one process.
enum class FactorNumbers {
  automatic,         ///< real if the matrix is; in single precision if that is expected to save time
  single_precision,  ///< real if the matrix is
  double_precision,  ///< real if the matrix is
  complex_double
};

struct SystemOptions {
  DirectOptions direct;
  FactorNumbers numbers = FactorNumbers::automatic;
  double tolerance = 1e-10;                   ///< of direct solves; Krylov methods have their own
  std::optional<IterativeOptions> iterative;  ///< nothing: direct
  Device device = Device::cpu;                ///< direct: cuDSS on the GPU if installed, else MUMPS
  /// The analysis chooses: direct, or the method in `iterative` (method_choice.hpp). Expectations of the run:
  bool automatic = false;
  /// The matrix is distributed over direct.processes: each provides its rows (direct/shared_matrix.hpp,
  /// spread_solver.hpp).
  bool spread = false;
  int right_hand_sides = 0, frequencies = 1;
};

/// Statistics of a solver after the analysis.
struct SystemInfo : DirectInfo {
  std::string choice;  ///< of an automatic solver: choice and reason
};

/// Report of a solve.
struct SystemReport {
  std::string method;   ///< "direct", "gmres", ...
  int iterations = 0;   ///< of all right-hand sides; direct: 1
  double residual = 0;  ///< the largest true relative residual
  std::vector<double>
      history;  ///< Krylov: relative residual after every iteration of the slowest right-hand side
  /// Direct: nonzero if the residual is above the tolerance and the solution accurate to rounding
  /// (refinement.hpp).
  double backward_error = 0;
};

/// Solutions that may not be accurate yet.
struct Substitution {
  bool is_right = false;      ///< within the tolerance, or accurate to rounding
  SystemReport report{};      ///< if they are
  RefinedSolution refined{};  ///< for direct solutions that are not

  Substitution() = default;
  explicit Substitution(SystemReport known) : is_right(true), report(std::move(known)) {}
  Substitution(const RefinedSolution& direct, double tolerance);
};

class SystemSolver {
 public:
  /// @param block_offsets first unknowns of the orders and the end, for the multilevel preconditioner
  /// @throws InputError for options out of range
  SystemSolver(const SystemOptions& options, std::vector<Index> block_offsets);
  ~SystemSolver();
  SystemSolver(SystemSolver&&) noexcept;
  SystemSolver& operator=(SystemSolver&&) noexcept;

  /// Orders unknowns and estimates memory for a pattern (direct). An automatic solver is chosen here; before,
  /// it is direct.
  void analyse(const Csr<Complex>& a);
  /// As DirectSolver::suggest; ignored by other solvers.
  void suggest(std::future<DissectionTree> tree) {
    if (direct_) direct_->suggest(std::move(tree));
  }
  /// Announces matrices without an imaginary part; call it before the analysis.
  void expect_real() { expects_real_ = true; }
  /// As IterativeSolver::expect_lower; ignored by other solvers.
  void expect_lower(Csr<Complex> pattern) {
    if (iterative_) iterative_->expect_lower(std::move(pattern));
  }
  /// Factorises or builds the preconditioner. The matrix must live until the last solve.
  /// @throws as DirectSolver::factor and IterativeSolver::prepare @param term for Krylov methods only: the
  /// system is A + U V @param cells, lower as in IterativeSolver::prepare
  void prepare(const Csr<Complex>& a, const LowRank& term = {}, const CellMatrices* cells = nullptr,
               const LowerOrder* lower = nullptr);
  /// The same for a system that may be distributed, with the rows of this process: an iterative solver then
  /// removes the entries on all processes, except num_rows and num_cols.
  void prepare_own(Csr<Complex>& own, const LowRank& term = {});
  /// y = A x of the prepared matrix. @param own as given to prepare_own
  void multiply(const Csr<Complex>& own, const Complex* x, Complex* y) const;
  /// Frees the data prepared for a distributed system, before its rows are assembled again. Collective.
  void forget() {
    if (spread_) spread_->forget();
  }
  /// The same for a sum. With direct solvers that add terms themselves the matrix is computed only if needed.
  void prepare(const MatrixSum& a);
  bool adds_terms() const { return dynamic_cast<SumSolver*>(direct_.get()) != nullptr; }
  /// @param b, x [n, num_rhs], column-major, not overlapping
  /// @param tolerances [num_rhs] of a Krylov method, instead of the option; empty, or direct: the option
  /// @throws NumericalError if the final residual is above the tolerance
  SystemReport solve(const Complex* b, Complex* x, Index num_rhs = 1,
                     const std::vector<double>& tolerances = {});
  /// The same if the caller refines results computed from X: real factors (of closed devices, which resonate)
  /// and factors in single precision give X without refinement; others refine it here.
  Substitution substitute(const Complex* b, Complex* x, Index num_rhs);
  /// Direct: the prepared matrix and its factors.
  RefinedSystem<Complex> refined_system();
  /// Direct: corrects solutions of a system that refined_system() is a part of.
  Substitution refine(const RefinedSystem<Complex>& system, const Complex* b, Complex* x,
                      Index num_rhs) const;
  /// Direct: makes the next prepare more accurate. False if not possible.
  bool require_digits() { return direct_ && direct_->require_digits(); }
  double tolerance() const { return options_.tolerance; }
  /// Library, ordering and memory of the direct solver; for a Krylov method its name and predicted memory.
  SystemInfo info() const;
  bool is_iterative() const { return iterative_ != nullptr || spread_ != nullptr; }
  /// Whether it uses only the lower triangle of a distributed symmetric matrix.
  bool takes_triangle() const {
    return shared_ != nullptr && options_.direct.symmetry == Symmetry::symmetric;
  }
  /// The matrix with these rows on this process, before it is prepared; for a distributed one the part that
  /// takes_triangle determines.
  SharedMatrix<Complex> shared(const Csr<Complex>& own) const;
  /// On processes other than 0: takes a step. @returns false if the step is not for this solver
  /// @param own the rows of this process
  bool join(const GroupStep& step, Csr<Complex>& own);

 private:
  void choose(const Csr<Complex>& a);
  void make_iterative();
  void make_spread();
  void choose_numbers();
  /// Direct: the prepared matrix.
  SharedMatrix<Complex> prepared() const;
  SystemReport solve_iteratively(const Complex* b, Complex* x, Index num_rhs,
                                 const std::vector<double>& tolerances);

  SystemOptions options_;
  std::unique_ptr<DirectSolver<Complex>> direct_;
  bool expects_real_ = false;      // real matrices, as of closed devices
  bool is_closed_ = false;         // direct_ uses real factors
  SharedMumps* shared_ = nullptr;  // direct_, if the matrix is distributed
  std::unique_ptr<IterativeSolver> iterative_;
  std::unique_ptr<SpreadSolver> spread_;
  std::vector<Index> block_offsets_;
  SystemInfo info_;
  const Csr<Complex>* matrix_ = nullptr;
  const MatrixSum* sum_ = nullptr;  // sum from which matrix_ is computed
};

}  // namespace curlew::linalg
