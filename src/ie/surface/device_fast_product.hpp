// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Products with a surface system on a CUDA device, which they never leave. For builds with CUDA.

#include <string>
#include <utility>
#include <vector>

#include "ie/surface/surface_product.hpp"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::ie {

class DeviceFastProduct final : public linalg::DeviceOperator<complex<double>> {
 public:
  /// Vectors are in double precision; sums in single where the tolerance allows it (5e-4 and above).
  /// @param corrections of near pairs, with Gram terms and loads: device_near_matrix
  /// @throws InputError for a tolerance out of NGIM's range; ResourceError if the device's memory does not
  /// suffice
  DeviceFastProduct(const SurfaceSums& sums, std::unique_ptr<linalg::DeviceCrs<double>> corrections,
                    double tolerance);
  ~DeviceFastProduct() override;
  Index size() const override;
  Offset num_points() const;
  Offset num_corrections() const;
  void apply(const complex<double>* x, complex<double>* y, const linalg::DeviceQueue& queue) const override;
  bool is_recordable() const override { return false; }

  /// Milliseconds of each step of one product, by events. @param x, y device memory
  std::vector<std::pair<std::string, double>> time_steps(const complex<double>* x, complex<double>* y) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curlew::ie
