// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/device_basis_change.hpp"

namespace curlew::ie {
namespace {

void copy(const complex<double>* from, complex<double>* to, Index n, const linalg::DeviceQueue& queue) {
  CURLEW_CUDA_CALL(cudaMemcpyAsync(to, from, std::size_t(n) * sizeof(*to), cudaMemcpyDeviceToDevice,
                                   static_cast<cudaStream_t>(queue.stream)));
}

}  // namespace

DeviceChangedBasis::DeviceChangedBasis(const linalg::DeviceOperator<Value>& a, const BasisTransform& basis)
    : a_(a),
      expand_(basis.expand),
      transposed_(linalg::transpose(basis.expand)),
      charges_(basis.charges),
      gather_(basis.gather()),
      laplacian_(basis.num_potentials(), linalg::DirectOptions()),
      x_(std::size_t(a.size())),
      y_(x_.size()),
      long_(x_.size() + std::size_t(basis.num_potentials())),
      potentials_(std::size_t(basis.num_potentials())) {
  laplacian_.factor(basis.laplacian);
}

void DeviceChangedBasis::expand(const Value* z, Value* x, const linalg::DeviceQueue& queue) const {
  charges_.apply(z, potentials_.data(), queue);
  copy(z, long_.data(), size(), queue);
  laplacian_.apply(potentials_.data(), long_.data() + size(), queue);
  expand_.apply(long_.data(), x, queue);
}

void DeviceChangedBasis::test(const Value* r, Value* z, const linalg::DeviceQueue& queue) const {
  transposed_.apply(r, long_.data(), queue);
  copy(long_.data() + size(), potentials_.data(), laplacian_.size(), queue);
  laplacian_.apply(potentials_.data(), long_.data() + size(), queue);
  gather_.apply(long_.data(), z, queue);
}

void DeviceChangedBasis::apply(const Value* z, Value* y, const linalg::DeviceQueue& queue) const {
  expand(z, x_.data(), queue);
  a_.apply(x_.data(), y_.data(), queue);
  test(y_.data(), y, queue);
}

}  // namespace curlew::ie
