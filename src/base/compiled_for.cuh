// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tells for which compute capability the code that a device runs was compiled.

#include "base/cuda.hpp"

namespace curlew::cuda {

/// Whether the code of a kernel that this device runs was compiled for this compute capability (90: 9.0) or a
/// later one. A newer device may run what was compiled for an older one, so that its own number does not
/// tell.
template <class Kernel>
bool is_compiled_for(int capability, Kernel* kernel) {
  cudaFuncAttributes attributes;
  CURLEW_CUDA_CALL(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.ptxVersion >= capability;
}

}  // namespace curlew::cuda
