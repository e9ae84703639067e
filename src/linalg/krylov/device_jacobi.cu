// SPDX-License-Identifier: BSD-3-Clause
// z = D^-1 r for callers that do not fold the diagonal into their own loops.
#include "linalg/krylov/device_jacobi.hpp"

namespace curlew::linalg {
namespace {

template <class R>
__global__ void multiply_diagonal(Index n, const complex<R>* d, const complex<R>* r, complex<R>* z,
                                  const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  const Index i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = d[i] * r[i];
}

}  // namespace

template <class R>
void DeviceJacobi<R>::apply(const complex<R>* r, complex<R>* z, const DeviceQueue& queue) const {
  if (size() == 0) return;
  multiply_diagonal<<<(size() + 255) / 256, 256, 0, static_cast<cudaStream_t>(queue.stream)>>>(
      size(), d_.data(), r, z, queue.skip);
  CURLEW_CHECK_LAUNCH("multiply_diagonal");
}

template class DeviceJacobi<double>;
template class DeviceJacobi<float>;

}  // namespace curlew::linalg
