// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Several right-hand sides at once: each has its own Krylov loop with its own scalars, and their products and
// preconditioners are done together, so that a matrix or a factorisation is read once for all of them. A
// column that has converged takes the next right-hand side.

#include <functional>
#include <memory>
#include <vector>

#include "linalg/krylov/options.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

/// Copies right-hand side k to the memory of its loop, or its solution back. Called from several threads, for
/// different k.
struct ColumnTransfer {
  std::function<void(Index k, Complex* b)> load;
  std::function<void(Index k, const Complex* x)> store;
  std::function<double(Index k)> tolerance{};  ///< of right-hand side k; empty: that of the options
};

class KrylovColumns {
 public:
  virtual ~KrylovColumns() = default;
  /// Number of simultaneous columns.
  virtual int width() const = 0;
  /// Right-hand sides 0 to num_rhs - 1. After one that does not converge no new ones are started; their
  /// reports stay empty, with status max_iterations.
  virtual std::vector<KrylovReport> solve(Index num_rhs, const ColumnTransfer& transfer) = 0;
};

/// @param m null: none. A and M are stored by reference. @param width 1 or more
/// @throws InputError for options out of range; ResourceError if the workspace does not fit
std::unique_ptr<KrylovColumns> make_krylov_columns(const LinearOperator<Complex>& a,
                                                   const LinearOperator<Complex>* m,
                                                   const KrylovOptions& options, int width);
/// The same on the GPU; the transfer is from and to host memory. For builds with CUDA.
std::unique_ptr<KrylovColumns> make_krylov_columns(const DeviceOperator<complex<double>>& a,
                                                   const DeviceOperator<complex<double>>* m,
                                                   const KrylovOptions& options, int width);

}  // namespace curlew::linalg
