// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Another basis of a surface system on a CUDA device. For builds with CUDA.

#include "base/cuda.hpp"
#include "ie/operator/basis_change.hpp"
#include "linalg/krylov/device_direct.hpp"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::ie {

/// z -> S B^T A B z; L is factorised by cuDSS if installed, else on the host.
class DeviceChangedBasis final : public linalg::DeviceOperator<complex<double>> {
 public:
  using Value = complex<double>;
  /// @param a stored by reference
  DeviceChangedBasis(const linalg::DeviceOperator<Value>& a, const BasisTransform& basis);
  Index size() const override { return a_.size(); }
  void apply(const Value* z, Value* y, const linalg::DeviceQueue& queue) const override;
  bool is_recordable() const override { return false; }
  /// As BasisChange, on memory of the device.
  void expand(const Value* z, Value* x, const linalg::DeviceQueue& queue) const;
  void test(const Value* r, Value* z, const linalg::DeviceQueue& queue) const;

 private:
  const linalg::DeviceOperator<Value>& a_;
  linalg::DeviceCrs<double> expand_, transposed_, charges_, gather_;
  linalg::DeviceDirect laplacian_;
  mutable cuda::Buffer<Value> x_, y_, long_, potentials_;
};

}  // namespace curlew::ie
