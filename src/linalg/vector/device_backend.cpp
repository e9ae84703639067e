// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/vector/device_backend.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace curlew::linalg {

namespace {

cuda::Priority priority_on_a_device() {
  if (device_info().name.empty()) throw ResourceError("there is no CUDA device on this machine");
  return cuda::Priority::ordinary;
}

}  // namespace

DeviceBackend::DeviceBackend() : own_(priority_on_a_device()) {
  max_blocks_ = unsigned(device_info().multiprocessors) * blocks_each;
  partials_ = cuda::Buffer<Sum>(std::size_t(max_blocks_) * max_sums);
  ticket_ = cuda::Buffer<unsigned>(1);
  const unsigned zero = 0;
  ticket_.upload(&zero);
}

unsigned DeviceBackend::blocks_at_once(const void* kernel) const {
  int each = 0;
  CURLEW_CUDA_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, sweep_threads, 0));
  return max_blocks_ / unsigned(blocks_each) * unsigned(std::clamp(each, 1, blocks_each));
}

void DeviceBackend::begin_recording() {
  CURLEW_CUDA_CALL(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
}

void* DeviceBackend::end_recording() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  CURLEW_CUDA_CALL(cudaStreamEndCapture(stream_, &graph));
  CURLEW_CUDA_CALL(cudaGraphInstantiate(&exec, graph, 0));
  CURLEW_CUDA_CALL(cudaGraphDestroy(graph));
  return exec;
}

void DeviceBackend::launch(void* graph) {
  CURLEW_CUDA_CALL(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), stream_));
}

void DeviceBackend::release(void*& graph) {
  if (graph != nullptr) cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph));
  graph = nullptr;
}

void DeviceBackend::mark(int slot) {
  marks_[slot].after(stream_);
}
void DeviceBackend::wait_for(int slot) {
  marks_[slot].wait();
}
void DeviceBackend::check_user() {
  check_interrupt();
}

}  // namespace curlew::linalg
