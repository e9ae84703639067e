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
  multiprocessors_ = device_info().multiprocessors;
  partials_ = cuda::Buffer<Sum>(std::size_t(multiprocessors_) * most_blocks_each * max_sums);
  ticket_ = cuda::Buffer<unsigned>(1);
  const unsigned zero = 0;
  ticket_.upload(&zero);
}

int DeviceBackend::blocks_each(const void* kernel) {
  int each = 0;
  CURLEW_CUDA_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, sweep_threads, 0));
  return std::clamp(each, 1, most_blocks_each);
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
