// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/device_direct.hpp"

#include "base/cuda.hpp"

namespace curlew::linalg {

DeviceDirect::DeviceDirect(Index size, const DirectOptions& options) : size_(size) {
  if (has_cudss()) {
    on_device_ = make_cudss(options);
    return;
  }
  on_host_ = std::make_unique<DirectOperator>(size, options);
}

void DeviceDirect::factor(const Csr<Complex>& a) {
  if (!on_device_) return on_host_->factor(a);
  pattern_.require(a, [this](const auto& of) { on_device_->analyse(of); });
  on_device_->factor(a);
}

void DeviceDirect::begin(Csr<Complex> pattern) {
  if (!on_device_) return on_host_->begin(std::move(pattern));
  pattern_.begin(std::move(pattern), [this](const auto& of) { on_device_->analyse(of); });
}

void DeviceDirect::apply_many(const Z* r, Offset ldr, Z* z, Offset ldz, Index n,
                              const DeviceQueue& queue) const {
  if (on_device_) return on_device_->solve_on_device(r, ldr, z, ldz, n, queue.stream);
  const auto stream = static_cast<cudaStream_t>(queue.stream);
  const std::size_t bytes = std::size_t(size_) * sizeof(Z), columns = std::size_t(n);
  r_.resize(columns * std::size_t(size_)), z_.resize(r_.size());
  CURLEW_CUDA_CALL(cudaMemcpy2DAsync(r_.data(), bytes, r, std::size_t(ldr) * sizeof(Z), bytes, columns,
                                     cudaMemcpyDefault, stream));
  CURLEW_CUDA_CALL(cudaStreamSynchronize(stream));
  on_host_->apply_many(r_.data(), size_, z_.data(), size_, n);
  CURLEW_CUDA_CALL(cudaMemcpy2DAsync(z, std::size_t(ldz) * sizeof(Z), z_.data(), bytes, bytes, columns,
                                     cudaMemcpyDefault, stream));
  CURLEW_CUDA_CALL(cudaStreamSynchronize(stream));
}

}  // namespace curlew::linalg
