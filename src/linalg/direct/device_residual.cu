// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>

#include "base/column_search.hpp"
#include "base/cuda_grid.hpp"
#include "base/lane_sum.cuh"
#include "linalg/direct/device_residual.hpp"
#include "linalg/sparse/device_load.cuh"

namespace curlew::linalg {
namespace {

using Z = DeviceResidual::Z;
constexpr int block_size = 256;
constexpr int lanes = 16;  // of a warp per row: FEM rows have 15 to 100 entries

/// Indices of the entries of a row among those of the upper triangle.
__global__ void find_places(Index n, const Offset* row_offsets, const Index* columns,
                            const int* upper_offsets, const int* upper_columns, int* places, int* missing) {
  const Index i = blockIdx.x * block_size + threadIdx.x;
  if (i >= n) return;
  for (Offset k = row_offsets[i]; k < row_offsets[i + 1]; ++k) {
    const Index j = columns[k], row = min(i, j), column = max(i, j);
    const Offset first = first_not_below(upper_columns, upper_offsets[row], upper_offsets[row + 1], column);
    const bool is_there = first < upper_offsets[row + 1] && upper_columns[first] == column;
    places[k] = is_there ? int(first) : 0;
    if (!is_there) *missing = 1;
  }
}

/// `lanes` lanes per row, W columns at once: the matrix is read once for them.
template <int W>
__global__ __launch_bounds__(block_size) void residual(Index n, const Offset* __restrict__ row_offsets,
                                                       const Index* __restrict__ columns,
                                                       const int* __restrict__ places,
                                                       const Z* __restrict__ values, const Z* __restrict__ b,
                                                       const Z* __restrict__ x, Z* __restrict__ r) {
  const Offset thread = Offset(blockIdx.x) * block_size + threadIdx.x;
  const Offset row = thread / lanes;
  Z sum[W];
  if (row < n) {
    for (Offset k = row_offsets[row] + thread % lanes; k < row_offsets[row + 1]; k += lanes) {
      const Z value = device::read(values + (places != nullptr ? Offset(device::stream(places + k)) : k));
      const Z* from = x + device::stream(columns + k);
#pragma unroll
      for (int c = 0; c < W; ++c) device::add_product(sum[c], value, device::read(from + c * Offset(n)));
    }
  }
#pragma unroll
  for (int c = 0; c < W; ++c) {
    const Z product = lane_sum(sum[c], lanes);
    const Offset at = c * Offset(n) + row;
    if (row < n && thread % lanes == 0) r[at] = b[at] - product;
  }
}

/// `lanes` lanes per row. Bits of a modulus, which is not negative, are ordered as the modulus; those of a
/// NaN are above all.
__global__ __launch_bounds__(block_size) void largest_row_sum(Index n, const Offset* __restrict__ row_offsets,
                                                              const int* __restrict__ places,
                                                              const Z* __restrict__ values,
                                                              unsigned long long* largest) {
  const Offset thread = Offset(blockIdx.x) * block_size + threadIdx.x;
  const Offset row = thread / lanes;
  double sum = 0;
  if (row < n)
    for (Offset k = row_offsets[row] + thread % lanes; k < row_offsets[row + 1]; k += lanes)
      sum += abs(device::read(values + (places != nullptr ? Offset(device::stream(places + k)) : k)));
  sum = lane_sum(Z(sum), lanes).re;
  if (row < n && thread % lanes == 0)
    atomicMax(largest, static_cast<unsigned long long>(__double_as_longlong(fabs(sum))));
}

}  // namespace

DeviceResidual::DeviceResidual(const Csr<Complex>& a, const int* offsets, const int* columns, bool is_half)
    : num_rows_(a.num_rows), row_offsets_(a.row_offsets), columns_(a.columns) {
  if (!is_half) return;
  places_ = cuda::Buffer<int>(a.columns.size());
  cuda::Buffer<int> missing(std::vector<int>{0});
  find_places<<<cuda::blocks_for(num_rows_, block_size), block_size>>>(
      num_rows_, row_offsets_.data(), columns_.data(), offsets, columns, places_.data(), missing.data());
  CURLEW_CHECK_LAUNCH("places of the matrix's entries");
  is_complete_ = missing.to_host()[0] == 0;
}

std::size_t DeviceResidual::bytes(const Csr<Complex>& a, bool is_half) {
  return a.row_offsets.size() * sizeof(Offset) +
         a.columns.size() * (sizeof(Index) + (is_half ? sizeof(int) : 0));
}

double DeviceResidual::norm_max(const Z* values, cudaStream_t stream) const {
  cuda::Buffer<unsigned long long> largest(std::vector<unsigned long long>{0});
  const int* places = places_.size() > 0 ? places_.data() : nullptr;
  largest_row_sum<<<cuda::blocks_for(Offset(num_rows_) * lanes, block_size), block_size, 0, stream>>>(
      num_rows_, row_offsets_.data(), places, values, largest.data());
  CURLEW_CHECK_LAUNCH("norm of the matrix");
  CURLEW_CUDA_CALL(cudaStreamSynchronize(stream));
  return std::bit_cast<double>(largest.to_host()[0]);
}

void DeviceResidual::subtract(const Z* values, const Z* b, const Z* x, Z* r, Index count,
                              cudaStream_t stream) const {
  const unsigned blocks = cuda::blocks_for(Offset(num_rows_) * lanes, block_size);
  const int* places = places_.size() > 0 ? places_.data() : nullptr;
  const auto launch = [&](auto kernel, Index first) {
    const Offset at = Offset(first) * num_rows_;
    kernel<<<blocks, block_size, 0, stream>>>(num_rows_, row_offsets_.data(), columns_.data(), places, values,
                                              b + at, x + at, r + at);
    CURLEW_CHECK_LAUNCH("residual");
  };
  Index c = 0;
  for (; c + 4 <= count; c += 4) launch(residual<4>, c);
  for (; c + 2 <= count; c += 2) launch(residual<2>, c);
  if (c < count) launch(residual<1>, c);
}

}  // namespace curlew::linalg
