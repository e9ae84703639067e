// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which of several CUDA devices a thread works on. For builds with CUDA.

#include "base/cuda.hpp"

namespace curlew::cuda {

/// Makes a device current for this thread until the end of the scope.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    CURLEW_CUDA_CALL(cudaGetDevice(&before_));
    CURLEW_CUDA_CALL(cudaSetDevice(device));
  }
  ~CurrentDevice() { static_cast<void>(cudaSetDevice(before_)); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int before_ = 0;
};

}  // namespace curlew::cuda
