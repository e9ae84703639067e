// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Events that order streams or time the work in one. For builds with CUDA.

#include "base/cuda.hpp"

namespace curlew::cuda {

class Event {
 public:
  Event() : Event(cudaEventDisableTiming) {}
  /// @param flags cudaEventDefault for one that is timed
  explicit Event(unsigned flags) { CURLEW_CUDA_CALL(cudaEventCreateWithFlags(&event_, flags)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  /// Marks the end of the work queued in the stream so far.
  void after(cudaStream_t stream) const { CURLEW_CUDA_CALL(cudaEventRecord(event_, stream)); }
  /// Work that is queued later waits for the mark.
  void before(cudaStream_t stream) const { CURLEW_CUDA_CALL(cudaStreamWaitEvent(stream, event_, 0)); }
  /// The host waits for the mark.
  void wait() const { CURLEW_CUDA_CALL(cudaEventSynchronize(event_)); }
  /// Seconds since another mark. @pre both timed and reached
  double seconds_since(const Event& begin) const {
    float milliseconds = 0;
    CURLEW_CUDA_CALL(cudaEventElapsedTime(&milliseconds, begin.event_, event_));
    return 1e-3 * milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Time on the device between two points in a stream.
class StopWatch {
 public:
  void start(cudaStream_t stream = nullptr) const { begin_.after(stream); }
  /// Waits for the work queued in the stream since start(). @return seconds
  double stop(cudaStream_t stream = nullptr) const {
    end_.after(stream);
    end_.wait();
    return end_.seconds_since(begin_);
  }

 private:
  Event begin_{cudaEventDefault}, end_{cudaEventDefault};
};

}  // namespace curlew::cuda
