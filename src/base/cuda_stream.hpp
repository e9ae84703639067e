// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A stream that does not wait for the default one. For builds with CUDA.

#include "base/cuda.hpp"

namespace curlew::cuda {

enum class Priority { ordinary, high };

class Stream {
 public:
  Stream() : Stream(Priority::ordinary) {}
  /// @param priority high: its kernels go before the waiting blocks of others
  explicit Stream(Priority priority) {
    int least = 0, greatest = 0;
    CURLEW_CUDA_CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CURLEW_CUDA_CALL(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking,
                                                  priority == Priority::high ? greatest : least));
  }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace curlew::cuda
