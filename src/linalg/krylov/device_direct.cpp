// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/device_direct.hpp"

#include "base/cuda.hpp"

namespace curlew::linalg {

DeviceDirect::DeviceDirect(const Csr<Complex>& a, const DirectOptions& options) {
  if (has_cudss()) {
    on_device_ = make_cudss(options);
    on_device_->analyse(a);
    on_device_->factor(a);
    return;
  }
  on_host_ = std::make_unique<DirectOperator>(a, options);
  r_.resize(std::size_t(a.num_rows)), z_.resize(std::size_t(a.num_rows));
}

void DeviceDirect::apply(const Z* r, Z* z, const DeviceQueue& queue) const {
  if (on_device_) return on_device_->solve_on_device(r, z, queue.stream);
  const auto stream = static_cast<cudaStream_t>(queue.stream);
  const std::size_t bytes = r_.size() * sizeof(Z);
  CURLEW_CUDA_CALL(cudaMemcpyAsync(r_.data(), r, bytes, cudaMemcpyDefault, stream));
  CURLEW_CUDA_CALL(cudaStreamSynchronize(stream));
  on_host_->apply(r_.data(), z_.data());
  CURLEW_CUDA_CALL(cudaMemcpyAsync(z, z_.data(), bytes, cudaMemcpyDefault, stream));
  CURLEW_CUDA_CALL(cudaStreamSynchronize(stream));
}

}  // namespace curlew::linalg
