// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ChargePreconditioner on a CUDA device. For builds with CUDA.

#include "base/cuda.hpp"
#include "ie/mixed_potential/charge_preconditioner.hpp"

namespace curlew::ie {

class DeviceChargePreconditioner final : public linalg::DeviceOperator<complex<double>> {
 public:
  explicit DeviceChargePreconditioner(const ChargeMatrix& matrix);
  Index size() const override { return Index(inverse_diagonal_.size()); }
  void apply(const complex<double>* r, complex<double>* z, const linalg::DeviceQueue& queue) const override;

 private:
  cuda::Buffer<Offset> offsets_;
  cuda::Buffer<Index> columns_;
  cuda::Buffer<double> values_, inverse_diagonal_;
  std::vector<ChebyshevStep> steps_;
  mutable cuda::Buffer<complex<double>> residual_, d_, next_;
};

}  // namespace curlew::ie
