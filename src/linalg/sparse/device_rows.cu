// SPDX-License-Identifier: BSD-3-Clause
// Products of the formats that are read row by row: compressed rows and the Ellpack family. An entry costs 20
// bytes in complex double and 12 in single, and 8 operations: both are limited by memory.
#include "base/cuda_grid.hpp"
#include "base/lane_sum.cuh"
#include "linalg/sparse/device_load.cuh"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::linalg {
namespace {

constexpr int block_size = 256;

template <class T>
const complex<T>* device_view(const std::vector<std::complex<T>>& v) {
  return reinterpret_cast<const complex<T>*>(v.data());
}
template <class T>
cuda::Buffer<complex<T>> upload(const std::vector<std::complex<T>>& v) {
  cuda::Buffer<complex<T>> buffer(v.size());
  buffer.upload(device_view(v));
  return buffer;
}

/// T lanes of a warp per row.
template <int T, class R>
__global__ __launch_bounds__(block_size) void crs_product(Index n, const Offset* __restrict__ row_offsets,
                                                          const Index* __restrict__ columns,
                                                          const complex<R>* __restrict__ values,
                                                          const complex<R>* __restrict__ x,
                                                          complex<R>* __restrict__ y, const int* skip) {
  if (device::skipped(skip)) return;
  const Offset thread = Offset(blockIdx.x) * block_size + threadIdx.x;
  const Offset row = thread / T;
  complex<R> sum;
  if (row < n) {
    const Offset end = row_offsets[row + 1];
#pragma unroll 4
    for (Offset k = row_offsets[row] + thread % T; k < end; k += T) {
      device::add_product(sum, device::stream(values + k), device::read(x + device::stream(columns + k)));
    }
  }
  sum = lane_sum(sum, T);
  if (row < n && thread % T == 0) y[row] = sum;
}

template <class R>
struct EllView {
  Index num_rows, slice_height;
  const Index* row_of;
  const Index* row_lengths;
  const Offset* slice_offsets;
  const Index* columns;
  const complex<R>* values;
};

/// T lanes of a warp per row; lanes of neighbouring rows read adjacent values, so that loads are coalesced.
template <int T, class R>
__global__ __launch_bounds__(block_size) void ell_product(EllView<R> a, const complex<R>* __restrict__ x,
                                                          complex<R>* __restrict__ y, const int* skip) {
  if (device::skipped(skip)) return;
  const Index thread = blockIdx.x * block_size + threadIdx.x;
  const Index position = thread / T, lane = thread % T;
  complex<R> sum;
  if (position < a.num_rows) {
    const Index slice = position / a.slice_height;
    const Index length = a.row_lengths[position];
    const Offset at = a.slice_offsets[slice] + Offset(position - slice * a.slice_height) * T + lane;
    const Index* __restrict__ columns = a.columns + at;
    const complex<R>* __restrict__ values = a.values + at;
    const Offset step = Offset(a.slice_height) * T;
#pragma unroll 4
    for (Index k = lane; k < length; k += T, columns += step, values += step) {
      device::add_product(sum, device::stream(values), device::read(x + device::stream(columns)));
    }
  }
  sum = lane_sum(sum, T);
  if (position < a.num_rows && lane == 0) y[a.row_of != nullptr ? a.row_of[position] : position] = sum;
}

/// Calls f with the number of lanes as a constant.
template <class F>
void with_lanes(int lanes, F&& f) {
  switch (lanes) {
    case 1:
      return f(std::integral_constant<int, 1>());
    case 2:
      return f(std::integral_constant<int, 2>());
    case 4:
      return f(std::integral_constant<int, 4>());
    case 8:
      return f(std::integral_constant<int, 8>());
    case 16:
      return f(std::integral_constant<int, 16>());
    default:
      return f(std::integral_constant<int, 32>());
  }
}

int lanes_for(double mean) {
  int lanes = 1;
  while (lanes < 32 && mean > 4 * lanes) lanes *= 2;
  return lanes;
}

}  // namespace

template <class R>
DeviceCrs<R>::DeviceCrs(const Csr<std::complex<R>>& a, int threads)
    : num_rows_(a.num_rows),
      threads_(threads > 0 ? threads : lanes_for(a.num_rows > 0 ? double(a.nnz()) / a.num_rows : 0)),
      row_offsets_(a.row_offsets),
      columns_(a.columns),
      values_(upload(a.values)) {}

template <class R>
DeviceCrs<R>::DeviceCrs(cuda::Buffer<Offset> row_offsets, cuda::Buffer<Index> columns,
                        cuda::Buffer<complex<R>> values)
    : num_rows_(Index(row_offsets.size()) - 1),
      threads_(lanes_for(num_rows_ > 0 ? double(values.size()) / num_rows_ : 0)),
      row_offsets_(std::move(row_offsets)),
      columns_(std::move(columns)),
      values_(std::move(values)) {}

template <class R>
Csr<std::complex<R>> DeviceCrs<R>::to_host() const {
  Csr<std::complex<R>> a{num_rows_, num_rows_, row_offsets_.to_host(), columns_.to_host(), {}};
  a.values.resize(a.columns.size());
  values_.download(reinterpret_cast<complex<R>*>(a.values.data()));
  return a;
}

template <class R>
void DeviceCrs<R>::apply(const complex<R>* x, complex<R>* y, const DeviceQueue& queue) const {
  if (num_rows_ == 0) return;
  const auto stream = static_cast<cudaStream_t>(queue.stream);
  with_lanes(threads_, [&](auto lanes) {
    crs_product<lanes(), R>
        <<<cuda::blocks_for(Offset(num_rows_) * lanes(), block_size), block_size, 0, stream>>>(
            num_rows_, row_offsets_.data(), columns_.data(), values_.data(), x, y, queue.skip);
  });
  CURLEW_CHECK_LAUNCH("crs_product");
}

template <class R>
DeviceEll<R>::DeviceEll(const Ell<std::complex<R>>& a)
    : num_rows_(a.num_rows),
      slice_height_(a.slice_height),
      threads_(a.threads_per_row),
      row_of_(a.row_of),
      row_lengths_(a.row_lengths),
      slice_offsets_(a.slice_offsets),
      columns_(a.columns),
      values_(upload(a.values)) {}

template <class R>
void DeviceEll<R>::apply(const complex<R>* x, complex<R>* y, const DeviceQueue& queue) const {
  if (num_rows_ == 0) return;
  const auto stream = static_cast<cudaStream_t>(queue.stream);
  const EllView<R> view{num_rows_,           slice_height_,         row_of_.data(),
                        row_lengths_.data(), slice_offsets_.data(), columns_.data(),
                        values_.data()};
  with_lanes(threads_, [&](auto lanes) {
    ell_product<lanes(), R>
        <<<cuda::blocks_for(Offset(num_rows_) * lanes(), block_size), block_size, 0, stream>>>(view, x, y,
                                                                                               queue.skip);
  });
  CURLEW_CHECK_LAUNCH("ell_product");
}

template class DeviceCrs<double>;
template class DeviceCrs<float>;
template class DeviceEll<double>;
template class DeviceEll<float>;

}  // namespace curlew::linalg
