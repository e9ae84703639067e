// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An event that orders streams. For builds with CUDA.

#include "base/cuda.hpp"

namespace curlew::cuda {

class Event {
 public:
  Event() { CURLEW_CUDA_CALL(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  /// Marks what the stream has been given so far.
  void after(cudaStream_t stream) const { CURLEW_CUDA_CALL(cudaEventRecord(event_, stream)); }
  /// What the stream is given from now on comes after the mark.
  void before(cudaStream_t stream) const { CURLEW_CUDA_CALL(cudaStreamWaitEvent(stream, event_, 0)); }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace curlew::cuda
