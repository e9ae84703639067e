// SPDX-License-Identifier: BSD-3-Clause
// Level-1 operations on the GPU, limited by memory; see level1.hpp for the bytes.
#include "linalg/vector/device_sweep.cuh"
#include "linalg/vector/level1_bodies.hpp"

namespace curlew::linalg {
CURLEW_INSTANTIATE_LEVEL1(DeviceBackend, double)
CURLEW_INSTANTIATE_LEVEL1(DeviceBackend, float)
}  // namespace curlew::linalg
