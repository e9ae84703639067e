// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/device_rows.cuh"

namespace curlew::linalg {
namespace {

/// Limited by memory at 32 bytes per entry: rows are scattered, and a sector of memory has two entries.
__global__ void gather_rows(const Z* x, Offset stride, Offset columns, const int* rows, int count, Z* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int row = rows[i];
  for (Offset j = blockIdx.y; j < columns; j += gridDim.y) out[i + j * count] = x[row + j * stride];
}
__global__ void scatter_rows(const Z* in, Offset stride, Offset columns, const int* rows, int count, Z* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int row = rows[i];
  for (Offset j = blockIdx.y; j < columns; j += gridDim.y) x[row + j * stride] = in[i + j * count];
}

}  // namespace

void move_rows(Z* x, Offset stride, Offset columns, const int* to, const int* from, int count, Z* space,
               std::size_t space_entries, cudaStream_t stream) {
  if (count == 0) return;
  const Offset most = std::max<Offset>(1, Offset(space_entries) / count);
  for (Offset c = 0; c < columns; c += most) {
    const Offset width = std::min(most, columns - c);
    const dim3 grid(unsigned((count + 255) / 256), unsigned(std::min<Offset>(width, 1024)));
    gather_rows<<<grid, 256, 0, stream>>>(x + c * stride, stride, width, from, count, space);
    CURLEW_CHECK_LAUNCH("gather_rows");
    scatter_rows<<<grid, 256, 0, stream>>>(space, stride, width, to, count, x + c * stride);
    CURLEW_CHECK_LAUNCH("scatter_rows");
  }
}

}  // namespace curlew::linalg
