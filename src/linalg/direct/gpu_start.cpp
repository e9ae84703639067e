// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/gpu_start.hpp"

#include "curlew/build.hpp"
#ifdef CURLEW_HAVE_CUDA
#include <cuda_runtime.h>

#include "linalg/direct/cudss_api.hpp"
#endif

namespace curlew::linalg {

std::jthread start_gpu_solver(Device device) {
#ifdef CURLEW_HAVE_CUDA
  if (device == Device::cuda)
    return std::jthread([] {
      const cudss::Api* api = cudss::load();
      if (cudaFree(nullptr) != cudaSuccess || api == nullptr) return;
      cudss::Handle handle = nullptr;
      if (api->create(&handle) == 0) api->destroy(handle);
    });
#endif
  static_cast<void>(device);
  return {};
}

}  // namespace curlew::linalg
