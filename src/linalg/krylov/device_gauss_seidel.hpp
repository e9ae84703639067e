// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Coloured block Gauss-Seidel sweeps on the GPU: one kernel launch per colour. For builds with CUDA.

#include "base/cuda.hpp"
#include "linalg/krylov/gauss_seidel.hpp"

namespace curlew::linalg {

/// R is double or float, of the vectors.
template <class R>
class DeviceGaussSeidel {
 public:
  explicit DeviceGaussSeidel(const ColouredRows& rows);
  /// The same as GaussSeidel::sweep, queued. @param r, z device memory
  void sweep(bool forward, const complex<R>* r, Offset ldr, complex<R>* z, Offset ldz, Index n,
             const DeviceQueue& queue) const;
  void sweep(bool forward, const complex<R>* r, complex<R>* z, const DeviceQueue& queue) const {
    sweep(forward, r, 0, z, 0, 1, queue);
  }

 private:
  std::vector<Index> colour_offsets_;
  cuda::Buffer<ColouredGroup> groups_;
  cuda::Buffer<Index> rows_, columns_;
  cuda::Buffer<complex<float>> values_, inverses_;
};

}  // namespace curlew::linalg
