// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Seconds of work on the GPU, by events, with the caches cold or warm.

#include <algorithm>
#include <vector>

#include "base/cuda.hpp"
#include "base/cuda_event.hpp"
#include "base/cuda_stream.hpp"
#include "linalg/vector/device_backend.hpp"
#include "linalg/vector/level1.hpp"

namespace curlew::bench {

class DeviceTimer {
 public:
  explicit DeviceTimer(int repeat)
      : repeat_(std::max(repeat, 5)), flush_(std::size_t(256) << 16), result_(1) {}

  /// Median seconds of one call after the caches were filled with other data. The call
  /// waits in the queue meanwhile: a GPU that had to wait for the host to launch it would show 2 to 4 us
  /// more.
  template <class F>
  double cold(F&& call, cudaStream_t stream = nullptr) {
    call();
    std::vector<double> seconds;
    for (int i = 0; i < 2 * repeat_; ++i) {
      // Read, not written: writing cached data back would add to the time of the call.
      linalg::norm(backend_, Offset(flush_.size()), static_cast<const complex<double>*>(flush_.data()),
                   result_.data());
      flushed_.after(backend_.stream());
      flushed_.before(stream);
      seconds.push_back(timed([&] { call(); }, stream));
    }
    return median(seconds);
  }
  /// Median seconds per call of `calls` consecutive ones.
  template <class F>
  double warm(F&& call, int calls = 20, cudaStream_t stream = nullptr) {
    call();
    std::vector<double> seconds;
    for (int i = 0; i < repeat_; ++i) {
      const double total = timed(
          [&] {
            for (int k = 0; k < calls; ++k) call();
          },
          stream);
      seconds.push_back(total / calls);
    }
    return median(seconds);
  }

 private:
  template <class F>
  double timed(F&& work, cudaStream_t stream) {
    watch_.start(stream);
    work();
    return watch_.stop(stream);
  }
  static double median(std::vector<double>& v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  }

  int repeat_;
  linalg::DeviceBackend backend_;
  cuda::Buffer<complex<double>> flush_;
  cuda::Buffer<double> result_;
  cuda::StopWatch watch_;
  cuda::Event flushed_;
};

/// Work recorded once as a CUDA graph on a separate stream.
class RecordedCall {
 public:
  template <class F>
  explicit RecordedCall(F&& work) {
    work(stream());  // set-up at first use must not be recorded
    CURLEW_CUDA_CALL(cudaStreamSynchronize(stream()));
    cudaGraph_t graph = nullptr;
    CURLEW_CUDA_CALL(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
    work(stream());
    CURLEW_CUDA_CALL(cudaStreamEndCapture(stream(), &graph));
    CURLEW_CUDA_CALL(cudaGraphInstantiate(&graph_, graph, 0));
    CURLEW_CUDA_CALL(cudaGraphDestroy(graph));
  }
  ~RecordedCall() { cudaGraphExecDestroy(graph_); }
  RecordedCall(const RecordedCall&) = delete;
  RecordedCall& operator=(const RecordedCall&) = delete;
  void operator()() const { CURLEW_CUDA_CALL(cudaGraphLaunch(graph_, stream())); }
  cudaStream_t stream() const { return stream_.get(); }

 private:
  cuda::Stream stream_;
  cudaGraphExec_t graph_ = nullptr;
};

/// Bytes per second of a copy on the device, read plus written: the upper limit of all results here.
inline double copy_bandwidth(DeviceTimer& timer) {
  const std::size_t bytes = std::size_t(1) << 30;
  cuda::Buffer<char> a(bytes), b(bytes);
  const double seconds = timer.warm(
      [&] { CURLEW_CUDA_CALL(cudaMemcpyAsync(b.data(), a.data(), bytes, cudaMemcpyDeviceToDevice)); }, 3);
  return 2.0 * double(bytes) / seconds;
}

}  // namespace curlew::bench
