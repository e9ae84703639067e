// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// NVIDIA cuDSS behind DirectSolver: LDL^T and LU of sparse matrices on the GPU. Loaded when present (pip
// package nvidia-cudss-cu13); see cudss_api.hpp. For builds with CUDA.

#include <memory>

#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/matrix_sum.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

/// True if the library and a GPU exist.
bool has_cudss();

/// A direct solver whose factors are on the GPU and which also solves there.
class CudssSolver : public DirectSolver<Complex>, public SumSolver {
 public:
  /// X = A^-1 B after all work on the stream; waits for the result.
  /// @param b, x device memory, num_rhs columns of [unknowns] with leading dimensions ldb and ldx, not
  /// overlapping
  virtual void solve_on_device(const complex<double>* b, Offset ldb, complex<double>* x, Offset ldx,
                               Index num_rhs, void* stream) = 0;
};

/// @throws ResourceError if the library or a GPU is missing
std::unique_ptr<CudssSolver> make_cudss(const DirectOptions& options);

}  // namespace curlew::linalg
