// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// AcceleratedOperator on a CUDA device: corrections are made there, and a product never leaves it. For builds
// with CUDA.

#include <memory>

#include "base/timer.hpp"
#include "ie/mixed_potential/accelerated_operator.hpp"

namespace curlew::ie {

class DeviceAcceleratedOperator final : public linalg::DeviceOperator<complex<double>> {
 public:
  /// Vectors are in double precision; potentials in single where the tolerance allows it (5e-4 and above).
  /// @throws ResourceError if the device's memory does not suffice
  DeviceAcceleratedOperator(const MixedPotentialSystem& system, const Acceleration& acceleration);
  ~DeviceAcceleratedOperator() override;

  Index size() const override;
  void apply(const complex<double>* x, complex<double>* y, const linalg::DeviceQueue& queue) const override;
  bool is_recordable() const override { return false; }

  /// A_mm, [unknowns] on the host.
  std::vector<Complex> diagonal_entries() const;
  Offset num_points() const;
  Offset num_near_pairs() const;
  std::size_t device_bytes() const;
  const Stages& stages() const;
  /// Milliseconds of each step of one product, by events. @param x, y device memory
  std::vector<std::pair<std::string, double>> time_steps(const complex<double>* x, complex<double>* y) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curlew::ie
