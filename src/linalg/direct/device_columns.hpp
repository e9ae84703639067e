// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Columns of iterative refinement on the GPU, which has the factors of cuDSS: only right-hand sides and
// solutions are copied. For builds with CUDA.

#include <vector>

#include "linalg/direct/cudss.hpp"
#include "linalg/direct/device_residual.hpp"
#include "linalg/direct/refined_columns.hpp"
#include "linalg/vector/device_backend.hpp"

namespace curlew::linalg {

class DeviceColumns final : public RefinedColumns {
 public:
  using Z = complex<double>;

  /// @param values of the factorised matrix, in device memory @param b, x [n, count] of the host
  /// @param solver, residual, values, b and x outlive the columns
  /// @throws ResourceError if the GPU lacks the memory
  DeviceColumns(CudssSolver& solver, const DeviceResidual& residual, const Z* values, Index n, Index count,
                const Complex* b, Complex* x);
  /// Device memory of the columns in bytes.
  static std::size_t bytes(Index n, Index count);

  void start(double* residuals) override;
  void try_correction(double* residuals, double* corrections) override;
  void take(Index column) override;
  LargestOfColumn largest(Index column) const override;
  double norm_of_matrix() const override { return residual_.norm_max(values_, backend_.stream()); }
  void finish() override;

 private:
  std::vector<double> norms(const cuda::Buffer<Z>& columns);
  /// r = b - A x and ||r|| / ||b||.
  void find_residual(const cuda::Buffer<Z>& x, cuda::Buffer<Z>& r, double* residuals);
  void solve(const cuda::Buffer<Z>& b, cuda::Buffer<Z>& x);
  Z* at(cuda::Buffer<Z>& columns, Index column) const { return columns.data() + Offset(column) * n_; }

  CudssSolver& solver_;
  const DeviceResidual& residual_;
  const Z* values_;
  Index n_, count_;
  const Complex* host_b_;
  Complex* host_x_;
  DeviceBackend backend_;
  cuda::Buffer<Z> b_, x_, r_;
  cuda::Buffer<Z> trial_, trial_r_;  // made for the first correction
  cuda::Buffer<double> norms_;
  std::vector<double> sizes_;  // ||b||, 1 for b = 0
};

}  // namespace curlew::linalg
