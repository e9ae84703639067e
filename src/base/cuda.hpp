// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error checks and owned memory for the CUDA backend. Include it from .cu files and from .cpp files that are
// compiled with CUDA only.

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "base/device.hpp"
#include "base/device_faults.hpp"

namespace curlew::cuda {

/// Throws for a failed call. Messages are formatted in a file for the host compiler, since nvcc rejects fmt's
/// checks.
[[noreturn]] void fail(cudaError_t status, const char* what, const char* file, int line);
[[noreturn]] void fail_allocation(std::size_t bytes);

inline void check(cudaError_t status, const char* what, const char* file, int line) {
  if (status == cudaSuccess && device_fails_on_request(DeviceFault::call))
    status = cudaErrorDevicesUnavailable;
  if (status != cudaSuccess) fail(status, what, file, line);
}

/// Device memory of n values, freed by the destructor. Movable, not copyable.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t n) : size_(n) {
    if (n == 0) return;
    const cudaError_t status = device_fails_on_request(DeviceFault::memory)
                                   ? cudaErrorMemoryAllocation
                                   : cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T));
    if (status != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      fail_allocation(n * sizeof(T));
    }
  }
  explicit Buffer(const std::vector<T>& host) : Buffer(host.size()) { upload(host.data()); }
  ~Buffer() { cudaFree(data_); }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  /// Copies size() values from the host; waits for the copy. cudaMemcpy does not: from pageable memory it
  /// returns before the copy is complete, and a stream that does not wait for the default one would read old
  /// values.
  void upload(const T* host) {
    if (size_ == 0) return;
    copy(data_, host);
    check(cudaStreamSynchronize(cudaStreamLegacy), "copy", __FILE__, __LINE__);
  }
  /// Copies size() values to the host; waits for the copy.
  void download(T* host) const { copy(host, data_); }
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    download(host.data());
    return host;
  }

 private:
  void copy(void* to, const void* from) const {
    if (size_ > 0) check(cudaMemcpy(to, from, bytes(), cudaMemcpyDefault), "copy", __FILE__, __LINE__);
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace curlew::cuda

/// Throws if a CUDA call failed. Every call is wrapped in it.
#define CURLEW_CUDA_CALL(call) ::curlew::cuda::check((call), #call, __FILE__, __LINE__)
/// Throws if the preceding launch failed; used after every launch.
#define CURLEW_CHECK_LAUNCH(kernel) ::curlew::cuda::check(cudaGetLastError(), kernel, __FILE__, __LINE__)
