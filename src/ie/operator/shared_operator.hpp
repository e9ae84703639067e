// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The corrected operator of one equation on one or several CUDA devices of a machine, which share its rows
// (row_share.hpp). Vectors live on the first device; the others get x and return their rows of y by peer
// copies: 32 bytes per unknown and product, compared with some thousand bytes that the product reads. For
// builds with CUDA.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/cuda.hpp"
#include "base/timer.hpp"
#include "ie/operator/device_corrected_operator.hpp"
#include "ie/operator/integral_equation.hpp"

namespace curlew::ie {

class SharedOperator final : public linalg::DeviceOperator<complex<double>> {
 public:
  using Value = complex<double>;
  /// Makes all shares in parallel, one thread each. @param gpus the current device and following ones;
  /// equations that cannot share rows use one @param tolerance as DeviceCorrectedOperator @param set_up of
  /// the first share
  /// @throws ResourceError if there are fewer devices or their memory does not suffice
  SharedOperator(const IntegralEquation& equation, int gpus, double tolerance, Stages& set_up);
  ~SharedOperator() override;
  Index size() const override;
  void apply(const Value* x, Value* y, const linalg::DeviceQueue& queue) const override;
  bool is_recordable() const override { return false; }

  /// As DeviceCorrectedOperator::allow, for all shares.
  void allow(double error, std::size_t kept_free);
  std::vector<ProductCount> products() const;

  int num_devices() const { return int(parts_.size()); }
  Offset num_points() const;
  Offset num_near() const;
  std::vector<Complex> diagonal_entries() const;
  /// Memory of all devices taken since construction began.
  std::size_t bytes_taken() const;
  /// Seconds of each step of one product of the first device, and of the exchange. @param x, y device memory
  std::vector<std::pair<std::string, double>> product_seconds(const Value* x, Value* y) const;

 private:
  struct Part;
  void start_others(const Value* x, cudaStream_t stream) const;
  void add_others(Value* y, cudaStream_t stream) const;

  std::vector<std::size_t> free_before_;      ///< [devices] bytes
  std::vector<std::unique_ptr<Part>> parts_;  ///< [devices]
};

}  // namespace curlew::ie
