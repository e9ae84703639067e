// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LU factors in single precision on the GPU, and solutions with them of right-hand sides in double precision.

#include "base/cuda_stream.hpp"
#include "linalg/dense/device_dense.cuh"

namespace curlew::linalg {

/// Factors of one matrix at a time; storage is allocated by the constructor.
class SingleLu {
 public:
  /// @param num_rhs most columns of a solve
  SingleLu(DenseHandles& handles, Offset n, int num_rhs);
  SingleLu(const SingleLu&) = delete;
  SingleLu& operator=(const SingleLu&) = delete;

  /// @param a [n, n] on the device, read only
  /// @param tensor products of the update in TF32 on the tensor cores
  /// @returns false if a pivot is zero
  bool factor(const Z* a, bool tensor);
  /// x (+)= A^-1 b, or with the adjoint, each column scaled to 1. x may be b.
  void solve(const Z* b, Z* x, int columns, bool add, cublasOperation_t op = CUBLAS_OP_N);

 private:
  bool factor_blocked();
  void factor_panel(int k, int width);
  void update(int k, int width, int from, int to);
  bool is_sound() const;
  C* at(Offset i, Offset j) { return factors_.data() + i + j * n_; }

  DenseHandles& handles_;
  Offset n_;
  cuda::Stream panel_stream_{cuda::Priority::high}, main_stream_;
  cuda::Buffer<C> factors_, right_, work_;
  cuda::Buffer<int> pivots_, info_, map_;
  cuda::Buffer<double> sums_;
};

}  // namespace curlew::linalg
