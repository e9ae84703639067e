// SPDX-License-Identifier: BSD-3-Clause
#include "base/cuda_grid.hpp"
#include "linalg/direct/device_sum.hpp"
#include "linalg/sparse/device_load.cuh"

namespace curlew::linalg {
namespace {

using Z = DeviceSum::Z;
constexpr int block_size = 256;

/// One entry per thread: it moves 40 bytes where the term is real.
__global__ __launch_bounds__(block_size) void add_entries(Offset n, const int* __restrict__ places,
                                                          const double* __restrict__ re,
                                                          const double* __restrict__ im, Z factor,
                                                          Z* __restrict__ values, int* broken) {
  const Offset k = Offset(blockIdx.x) * block_size + threadIdx.x;
  if (k >= n) return;
  const Offset place = places != nullptr ? Offset(places[k]) : k;
  Z value = values[place];
  device::add_product(value, factor, Z(re[k], im != nullptr ? im[k] : 0.0));
  if (!isfinite(value.re) || !isfinite(value.im)) *broken = 1;
  values[place] = value;
}

}  // namespace

bool DeviceSum::add_up(std::span<const Complex> factors, cuda::Buffer<Z>& values) {
  CURLEW_CUDA_CALL(cudaMemset(values.data(), 0, values.bytes()));
  CURLEW_CUDA_CALL(cudaMemset(broken_.data(), 0, broken_.bytes()));
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const Term& term = terms_[t];
    const auto n = Offset(term.re.size());
    if (n == 0) continue;
    add_entries<<<cuda::blocks_for(n, block_size), block_size>>>(
        n, term.places.data(), term.re.data(), term.im.data(), Z(factors[t]), values.data(), broken_.data());
    CURLEW_CHECK_LAUNCH("sum of terms");
  }
  return broken_.to_host()[0] == 0;
}

}  // namespace curlew::linalg
