// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sparse direct solvers behind one interface: analyse a pattern once, factor its values as often as the
// frequency changes, solve for many right-hand sides. On the CPU PARDISO of Intel MKL where it is present, or
// MUMPS; cuDSS on the GPU where it is present.

#include <cstddef>
#include <future>
#include <memory>
#include <string>

#include "base/device.hpp"
#include "base/process_group.hpp"
#include "linalg/csr.hpp"
#include "linalg/direct/dissection.hpp"
#include "linalg/direct/refined_columns.hpp"

namespace curlew::linalg {

enum class Symmetry {
  unsymmetric,  ///< LU
  symmetric     ///< A = A^T without conjugation, LDL^T; only the lower triangle is read
};

/// Library of the factors on the CPU.
enum class DirectLibrary { mumps, mkl };

struct DirectOptions {
  Symmetry symmetry = Symmetry::symmetric;
  DirectLibrary library = DirectLibrary::mumps;
  /// Relative size below which a pivot is refused, 0..0.5. 0: no pivoting, which saves a fifth of time and
  /// memory. Accuracy is lost only if a pivot is tiny, so solve_refined checks the residual and turns
  /// pivoting on when needed.
  double pivot_threshold = 0;
  /// CPU, Complex: the matrices have no imaginary part, and are factored in real numbers.
  bool real_values = false;
  /// CPU, Complex: factors in single precision, half the memory; solutions then have few digits, enough for
  /// refinement or for a preconditioner.
  bool single_precision = false;
  /// MUMPS: blocks of the factors off the diagonal are kept as products of low rank to this relative
  /// tolerance; 0: uncompressed. Fewer operations and less accurate solutions, for a preconditioner.
  double block_tolerance = 0;
  int rhs_block = 64;  ///< right-hand sides solved at a time: more is faster and takes more memory
  /// cuDSS: factors that do not fit on the GPU stay in host memory.
  bool hybrid_memory = false;
  std::size_t device_memory = 0;  ///< hybrid: bytes of the GPU to use at most; 0: as many as are free
  /// cuDSS: largest number of GPUs of this machine that share the factors. Matrix, right-hand sides and
  /// solutions stay on the current one.
  int gpus = 1;
  /// Processes that share the factors of a system (mumps.hpp); null: this one alone. make_direct_solver
  /// ignores it.
  const ProcessGroup* processes = nullptr;
};

/// Statistics of a solver; zero for stages that have not run.
struct DirectInfo {
  std::string library;   ///< "MUMPS 5.5.1", ...
  std::string ordering;  ///< the one that was used
  Index unknowns = 0;
  Offset entries = 0;                 ///< nonzeros of A, both triangles
  bool has_single_precision = false;  ///< factors
  double factor_entries = 0;          ///< nonzeros of the factors: estimated by analyse, counted by factor
  double factor_flops = 0;            ///< real operations, estimated by analyse, counted by factor
  double uncompressed_flops = 0;      ///< the same without low-rank blocks; set by factor
  std::size_t estimated_bytes = 0;    ///< the library's own estimate, from analyse
  std::size_t factor_bytes = 0;       ///< memory taken by the last factorisation
  int delayed_pivots = 0;             ///< pivots delayed because they are too small
  int negative_pivots = -1;           ///< real symmetric: eigenvalues below zero (Sylvester); -1 unknown
  double analyse_seconds = 0, factor_seconds = 0, solve_seconds = 0;  ///< of the last call
};

/// T is Complex or double. Not to be used from several threads at once.
template <class T>
class DirectSolver {
 public:
  virtual ~DirectSolver() = default;

  /// Suggests a dissection for the next analyse, which may wait for it and use it as ordering. The matrix has
  /// as many unknowns; its pattern may differ slightly.
  virtual void suggest(std::future<DissectionTree> tree) { static_cast<void>(tree); }

  /// Orders and estimates. Reads the pattern, not the values.
  /// @throws InputError if the matrix is empty, not square or malformed
  virtual void analyse(const Csr<T>& a) = 0;

  /// Memory that factor will take by the library's own estimate [bytes]; known after analyse.
  virtual std::size_t estimated_bytes() const = 0;

  /// Factorises a matrix of the analysed pattern. @throws InputError if the pattern differs; NumericalError
  /// if the matrix is singular or holds a NaN or an infinity; ResourceError if the estimate exceeds the
  /// memory that is available
  virtual void factor(const Csr<T>& a) = 0;

  /// Replaces the right-hand sides in x by the solutions.
  /// @param x [unknowns, num_rhs], column-major
  /// @throws InputError without a factorisation; NumericalError if b or the result is not finite
  virtual void solve(T* x, Index num_rhs = 1) = 0;

  /// Columns for refinement in the memory of the factors; null if that is host memory, or too small. They use
  /// the solver.
  /// @param a the matrix that was factored, with any values @param b, x as in solve_refined; all must outlive
  /// the columns
  virtual std::unique_ptr<RefinedColumns> refined_columns(const Csr<T>& a, const T* b, T* x, Index num_rhs) {
    static_cast<void>(a), static_cast<void>(b), static_cast<void>(x), static_cast<void>(num_rhs);
    return nullptr;
  }

  /// Makes the next factor more accurate: in double precision, or with pivoting. False if not possible.
  virtual bool require_digits() = 0;

  virtual const DirectInfo& info() const = 0;
};

/// MUMPS or MKL for Device::cpu; cuDSS, if it is present, for Device::cuda (Complex only).
/// @throws ResourceError if this build or machine lacks the library; InputError for options out of range
template <class T>
std::unique_ptr<DirectSolver<T>> make_direct_solver(const DirectOptions& options,
                                                    Device device = Device::cpu);

/// Library, core type and threads of the BLAS under the solvers, e.g. "OpenBLAS 0.3.21 Cooperlake, 2
/// threads", for the machine section of a summary. The message says what chose the kernels.
std::string blas_description();

}  // namespace curlew::linalg
