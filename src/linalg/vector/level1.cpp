// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/vector/host_backend.hpp"
#include "linalg/vector/level1_bodies.hpp"

namespace curlew::linalg {
CURLEW_INSTANTIATE_LEVEL1(HostBackend, double)
CURLEW_INSTANTIATE_LEVEL1(HostBackend, float)
}  // namespace curlew::linalg
