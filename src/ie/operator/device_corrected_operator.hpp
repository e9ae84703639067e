// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// CorrectedOperator entirely on a CUDA device. For builds with CUDA.

#include <string>
#include <utility>

#include "base/cuda.hpp"
#include "ie/operator/operator_fill.hpp"

namespace curlew::ie {

class DeviceCorrectedOperator final : public linalg::DeviceOperator<complex<double>> {
 public:
  using Value = complex<double>;
  /// Vectors are in double precision; sums in single precision for tolerances from 5e-4 on.
  /// @throws InputError for a tolerance out of NGIM's range; ResourceError if the device's memory does not
  /// suffice
  DeviceCorrectedOperator(std::unique_ptr<DeviceFill> fill, double tolerance);
  Index size() const override { return fill_->size(); }
  void apply(const Value* x, Value* y, const linalg::DeviceQueue& queue) const override;
  bool is_recordable() const override { return false; }

  /// As CorrectedOperator.
  void allow(double error, std::size_t kept_free) { sums_.allow(error, kept_free); }
  std::vector<ProductCount> products() const { return sums_.products(); }

  const DeviceFill& fill() const { return *fill_; }
  Offset num_points() const { return sums_.num_points(); }
  /// Seconds of each step of one product, by events. @param x, y device memory
  std::vector<std::pair<std::string, double>> product_seconds(const Value* x, Value* y) const;

 private:
  template <class Visit>
  void apply(const Value* x, Value* y, const linalg::DeviceQueue& queue, const Visit& visit) const;

  std::unique_ptr<DeviceFill> fill_;
  mutable PointSums<Value, linalg::DeviceQueue> sums_;  // counts its products
  mutable cuda::Buffer<Value> charges_, potential_, gradient_;
};

}  // namespace curlew::ie
