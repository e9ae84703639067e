// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Dense LU with partial pivoting on the GPU: cuSOLVER in double precision, or factors in single precision
// (products of the update on the tensor cores in TF32 for large matrices) with refinement to the residual of
// double precision. Only in builds with CUDA.

#include <memory>

#include "base/complex.hpp"
#include "linalg/dense/lu.hpp"

namespace curlew::linalg {

/// Solver of one size; the constructor allocates the workspace.
class DeviceLu {
 public:
  /// @param num_rhs most right-hand sides of a call
  /// @throws ResourceError with the needed size if the device's memory does not suffice
  DeviceLu(Offset n, int num_rhs, LuPrecision precision);
  ~DeviceLu();
  DeviceLu(const DeviceLu&) = delete;
  DeviceLu& operator=(const DeviceLu&) = delete;

  /// As solve_dense, on device memory. @param a [n, n] is destroyed only when factored in double precision
  /// @param[in,out] b [n, num_rhs]
  LuReport solve(complex<double>* a, complex<double>* b, int num_rhs, bool with_condition);
  /// Device bytes in addition to the matrix and the right-hand sides.
  static std::size_t workspace_bytes(Offset n, int num_rhs, LuPrecision precision);
  /// From this size on `automatic` is mixed, and both try TF32 products first.
  static constexpr Offset tensor_from = 8000;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curlew::linalg
