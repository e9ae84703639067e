// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All pairs on the GPU. Private to this module; for builds with CUDA.

#include <memory>
#include <vector>

#include "base/vec3.hpp"
#include "fields/radiation.hpp"
#include "fields/radiation_sources.hpp"

namespace curlew::fields {

class DeviceRadiation {
 public:
  /// Observers [m] are copied to the device once.
  DeviceRadiation(const std::vector<Vec3<double>>& observers, double k, PairPrecision precision);
  ~DeviceRadiation();

  /// @param[out] fields of the size of sources.count() and the observers
  void apply(const RadiationSources& sources, NearFields& fields);
  /// Seconds of the kernels of the last apply.
  double kernel_seconds() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace curlew::fields
