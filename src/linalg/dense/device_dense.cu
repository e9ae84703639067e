// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/device_dense.cuh"

#include "base/lane_sum.cuh"

namespace curlew::linalg {
namespace {

/// Sums over a block; the result is in thread 0.
__device__ double block_sum(double v) {
  __shared__ double part[8];
  v = lane_sum(v);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  v = lane_sum(threadIdx.x < 8 ? part[threadIdx.x] : 0, 8);
  __syncthreads();
  return v;
}

/// One block of 256 per column: sum of moduli (power 1) or of their squares (power 2).
__global__ __launch_bounds__(256) void sum_column(const Z* a, Offset n, int power, double* sums) {
  const Z* column = a + Offset(blockIdx.x) * n;
  double sum = 0;
  for (Offset i = threadIdx.x; i < n; i += blockDim.x) {
    const double square = norm2(column[i]);
    sum += power == 1 ? ::sqrt(square) : square;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

}  // namespace

void sum_columns(const Z* a, Offset n, int columns, int power, double* sums) {
  sum_column<<<columns, 256>>>(a, n, power, sums);
  CURLEW_CHECK_LAUNCH("sum_column");
}

std::vector<double> column_sums(const Z* a, Offset n, int columns, int power, double* sums) {
  sum_columns(a, n, columns, power, sums);
  std::vector<double> host(static_cast<std::size_t>(columns));
  CURLEW_CUDA_CALL(cudaMemcpy(host.data(), sums, host.size() * sizeof(double), cudaMemcpyDefault));
  return host;
}

}  // namespace curlew::linalg
