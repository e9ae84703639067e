// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Page-locked host memory. Copies between it and the device run at the speed of the bus and concurrently with
// kernels and host; copies with ordinary memory use small buffers of the driver and are ten times slower. For
// builds with CUDA.

#include "base/cuda.hpp"

namespace curlew::cuda {

/// n values, freed by the destructor. Movable, not copyable.
template <class T>
class Pinned {
 public:
  Pinned() = default;
  /// @throws ResourceError if the system cannot lock this memory
  explicit Pinned(std::size_t n) : size_(n) {
    if (n > 0) CURLEW_CUDA_CALL(cudaMallocHost(reinterpret_cast<void**>(&data_), n * sizeof(T)));
  }
  ~Pinned() { cudaFreeHost(data_); }
  Pinned(Pinned&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Pinned& operator=(Pinned&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace curlew::cuda
