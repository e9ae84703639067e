// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The limits of a CUDA device, measured.

#include <cstddef>

namespace curlew::bench {

struct DeviceLimits {
  double copy_bytes_per_s;  ///< read + written
  double read_bytes_per_s;  ///< read only, summed in registers
  double fma32_flops;       ///< [1/s], a fused multiply-add counts two
  double fma64_flops;       ///< [1/s]
  double special_per_s;     ///< single-precision sine instructions a second
  double zgemm_flops;       ///< [1/s] real operations, cuBLAS, n = 4096
  double launch_s;          ///< one empty kernel of many in a stream
  double round_trip_s;      ///< launch and wait
  std::size_t array_bytes;  ///< of the copy
};

/// Median of `repeat` timings each. Takes 2 GiB of device memory.
/// @throws ResourceError if they are not free
DeviceLimits measure_device_limits(int repeat);

}  // namespace curlew::bench
