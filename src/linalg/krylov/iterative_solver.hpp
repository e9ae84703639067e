// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A sparse system solved by a Krylov method with a preconditioner, on the CPU or whole on the GPU, in the way
// of DirectSolver: prepare a matrix once, then solve for any number of right-hand sides.

#include <memory>
#include <string>
#include <vector>

#include "base/device.hpp"
#include "linalg/csr.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/krylov/multilevel.hpp"
#include "linalg/krylov/options.hpp"

namespace curlew::linalg {

enum class Preconditioner { none, jacobi, multilevel };
/// "none", "jacobi", "multilevel". @throws InputError for another word
Preconditioner preconditioner_from(const std::string& name);
const char* name_of(Preconditioner preconditioner);

struct IterativeOptions {
  KrylovOptions krylov;
  Preconditioner preconditioner = Preconditioner::multilevel;
  MultilevelOptions multilevel;
  int coarse_order =
      0;  ///< orders 1 .. coarse_order are factorised together; 0: one less than the highest, 1 at least
  DirectOptions direct;  ///< of the coarse factorisation; symmetry follows the matrix
  Device device = Device::cpu;
};

/// What solve reports: all columns together and each by itself.
struct IterativeReport {
  int iterations = 0;            ///< of all columns
  double relative_residual = 0;  ///< the largest true one
  double seconds = 0;            ///< of all columns, without prepare
  std::vector<KrylovReport> columns;
};

/// What is known of the set-up after prepare.
struct IterativeInfo {
  std::string coarse_library;  ///< "MUMPS 5.5.1", "cuDSS 1.0.0"; empty without a coarse level
  Index coarse_unknowns = 0;
  double prepare_seconds = 0;
  double coarse_seconds = 0;  ///< analysis and factorisation of the coarse level within them
  bool is_symmetric = false;
  double asymmetry = 0;
};

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
  /// InputError if
  ///   cocg or cocr is asked for a matrix that is not symmetric; ResourceError if memory does not suffice
  void prepare(const Csr<Complex>& a);
  /// @param b, x host memory [n, num_rhs], column-major; x is overwritten
  /// @throws NumericalError with the last true residual if a column does not converge
  IterativeReport solve(const Complex* b, Complex* x, Index num_rhs = 1);
  const IterativeInfo& info() const;

 private:
  class Backend;
  class HostSide;
  class DeviceSide;
  std::vector<Index> sort_by_level(const Csr<Complex>& a);
  KrylovReport solve_column(const Complex* b, Complex* x);

  IterativeOptions options_;
  std::vector<Index> offsets_;
  std::vector<Index> order_;  // unknowns level by level, where that differs from their numbers
  Csr<Complex> permuted_;
  std::unique_ptr<Backend> backend_;
  IterativeInfo info_;
};

}  // namespace curlew::linalg
