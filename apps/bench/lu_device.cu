// SPDX-License-Identifier: BSD-3-Clause
// The matrix of `em-bench lu`, made on the GPU.
#include <algorithm>

#include "base/cuda.hpp"
#include "bench/lu_entries.hpp"

namespace curlew::bench {
namespace {

/// Limited by the write of 16 bytes per entry.
__global__ void make_columns(Offset n, Offset first, Offset count, complex<double>* a) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (Offset j = blockIdx.y; j < count; j += gridDim.y) a[i + j * n] = lu_entry(n, i, first + j);
}

}  // namespace

void lu_columns(Offset n, Offset first, Offset count, complex<double>* a) {
  const dim3 grid(unsigned((n + 255) / 256), unsigned(std::min<Offset>(count, 16384)));
  make_columns<<<grid, 256>>>(n, first, count, a);
  CURLEW_CHECK_LAUNCH("make_columns");
  CURLEW_CUDA_CALL(cudaStreamSynchronize(cudaStreamLegacy));
}

}  // namespace curlew::bench
