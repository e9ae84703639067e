// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One interface for programs: a sparse system solved directly or by a Krylov method, as [solver] asks.
// Analyse a pattern once, prepare a matrix per frequency, solve for any number of right-hand sides.

#include <future>
#include <optional>

#include "linalg/direct/matrix_sum.hpp"
#include "linalg/direct/refinement.hpp"
#include "linalg/direct/shared_matrix.hpp"
#include "linalg/krylov/iterative_solver.hpp"
#include "linalg/krylov/spread_solver.hpp"

namespace curlew::linalg {

/// Of the factors of a direct solver on the CPU, in a run of one process.
enum class FactorNumbers {
  automatic,         ///< real where the matrix is; in single precision where that is expected to save time
  single_precision,  ///< real where the matrix is
  double_precision,  ///< the same
  complex_double
};

struct SystemOptions {
  DirectOptions direct;
  FactorNumbers numbers = FactorNumbers::automatic;
  double tolerance = 1e-10;                   ///< of direct solves; Krylov methods have their own
  std::optional<IterativeOptions> iterative;  ///< nothing: direct
  Device device = Device::cpu;                ///< direct: cuDSS on the GPU where it is present, else MUMPS
  /// The analysis chooses: direct, or what stands in `iterative` (method_choice.hpp). What is expected of the
  /// run:
  bool automatic = false;
  /// On several processes each gives its rows of the matrix (direct/shared_matrix.hpp, spread_solver.hpp).
  bool spread = false;
  int right_hand_sides = 0, frequencies = 1;
};

/// What is known of a solver after the analysis.
struct SystemInfo : DirectInfo {
  std::string choice;  ///< of an automatic one: which, and why
};

/// How a solve went.
struct SystemReport {
  std::string method;   ///< "direct", "gmres", ...
  int iterations = 0;   ///< of all right-hand sides; direct: 1
  double residual = 0;  ///< the largest true relative residual
  std::vector<double>
      history;  ///< Krylov: relative residual after every iteration of the slowest right-hand side
  /// Direct: nonzero if the residual is above the tolerance and the solution right to rounding
  /// (refinement.hpp).
  double backward_error = 0;
};

/// Solutions that need not be right yet.
struct Substitution {
  bool is_right = false;      ///< known to be within the tolerance, or right to rounding
  SystemReport report{};      ///< of those that are
  RefinedSolution refined{};  ///< of direct ones that are not

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

  /// Orders and estimates for a pattern (direct). An automatic solver is chosen here; before, and without it,
  /// it is direct.
  void analyse(const Csr<Complex>& a);
  /// As DirectSolver::suggest; without use to other solvers.
  void suggest(std::future<DissectionTree> tree) {
    if (direct_) direct_->suggest(std::move(tree));
  }
  /// Before the analysis: matrices without an imaginary part are expected.
  void expect_real() { expects_real_ = true; }
  /// Factors or builds the preconditioner. The matrix must live until the last solve.
  /// @throws what DirectSolver::factor and IterativeSolver::prepare throw
  /// @param term of Krylov methods only: the system is A + U V
  /// @param cells, lower as IterativeSolver::prepare takes them
  void prepare(const Csr<Complex>& a, const LowRank& term = {}, const CellMatrices* cells = nullptr,
               const LowerOrder* lower = nullptr);
  /// The same of the own rows of a system that may be distributed: an iterative solver takes the entries away
  /// then, and leaves num_rows and num_cols, on all processes.
  void prepare_own(Csr<Complex>& own, const LowRank& term = {});
  /// y = A x of the matrix that was prepared. @param own as it was given to prepare_own
  void multiply(const Csr<Complex>& own, const Complex* x, Complex* y) const;
  /// What was prepared for a distributed system is not needed any more: before its rows are assembled anew.
  /// On all processes.
  void forget() {
    if (spread_) spread_->forget();
  }
  /// The same of a sum. Direct solvers that add terms leave the matrix itself unmade until it is asked for.
  void prepare(const MatrixSum& a);
  bool adds_terms() const { return dynamic_cast<SumSolver*>(direct_.get()) != nullptr; }
  /// @param b, x [n, num_rhs], column-major, not overlapping
  /// @param tolerances [num_rhs] of a Krylov method, instead of its own; empty, and direct: its own
  /// @throws NumericalError if the residual ends above the tolerance
  SystemReport solve(const Complex* b, Complex* x, Index num_rhs = 1,
                     const std::vector<double>& tolerances = {});
  /// The same where what is made of X will be refined itself: factors of real numbers (closed devices
  /// resonate) or in single precision give it as it comes out of them; others are refined here.
  Substitution substitute(const Complex* b, Complex* x, Index num_rhs);
  /// Direct: what was prepared, and its factors.
  RefinedSystem<Complex> refined_system();
  /// Direct: corrects solutions of a system that refined_system() is a part of.
  Substitution refine(const RefinedSystem<Complex>& system, const Complex* b, Complex* x,
                      Index num_rhs) const;
  /// Direct: makes the next prepare lose fewer digits. False if it cannot.
  bool require_digits() { return direct_ && direct_->require_digits(); }
  double tolerance() const { return options_.tolerance; }
  /// Library, ordering and memory of the direct solver; of a Krylov method its name and predicted memory.
  SystemInfo info() const;
  bool is_iterative() const { return iterative_ != nullptr || spread_ != nullptr; }
  /// Of a distributed symmetric matrix it takes the lower triangle.
  bool takes_triangle() const {
    return shared_ != nullptr && options_.direct.symmetry == Symmetry::symmetric;
  }
  /// The matrix whose rows of this process these are, before it is prepared; of a spread one as
  /// takes_triangle says.
  SharedMatrix<Complex> shared(const Csr<Complex>& own) const;
  /// On a process that does not lead. @returns false if the step is not for this solver
  /// @param own the rows of this process
  bool join(const GroupStep& step, Csr<Complex>& own);

 private:
  void choose(const Csr<Complex>& a);
  void make_iterative();
  void make_spread();
  void choose_numbers();
  /// Direct: the matrix that was prepared.
  SharedMatrix<Complex> prepared() const;
  SystemReport solve_iteratively(const Complex* b, Complex* x, Index num_rhs,
                                 const std::vector<double>& tolerances);

  SystemOptions options_;
  std::unique_ptr<DirectSolver<Complex>> direct_;
  bool expects_real_ = false;      // matrices, which are those of closed devices
  bool is_closed_ = false;         // direct_ makes use of it
  SharedMumps* shared_ = nullptr;  // direct_, where the matrix is distributed
  std::unique_ptr<IterativeSolver> iterative_;
  std::unique_ptr<SpreadSolver> spread_;
  std::vector<Index> block_offsets_;
  SystemInfo info_;
  const Csr<Complex>* matrix_ = nullptr;
  const MatrixSum* sum_ = nullptr;  // that matrix_ was made of, or will be
};

}  // namespace curlew::linalg
