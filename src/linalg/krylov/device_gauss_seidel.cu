// SPDX-License-Identifier: BSD-3-Clause
// Eight lanes per group: they read its columns coalesced and compute up to six rows' sums at once; then each
// lane multiplies one row of the inverse. An entry takes 8 bytes of value and 4 / size bytes of column. The
// speed is limited by memory and, for small matrices, by the launches. Columns are the second dimension of
// the grid: the values of a colour come out of the cache for all but the first.
#include "linalg/krylov/device_gauss_seidel.hpp"

namespace curlew::linalg {
namespace {

constexpr int lanes = 8, threads = 256, most_rows = 6;

template <class R>
__global__ __launch_bounds__(threads) void sweep_colour(const ColouredGroup* __restrict__ groups, Index count,
                                                        const Index* __restrict__ all_rows,
                                                        const Index* __restrict__ all_columns,
                                                        const complex<float>* __restrict__ all_values,
                                                        const complex<float>* __restrict__ all_inverses,
                                                        const complex<R>* __restrict__ r, Offset ldr,
                                                        complex<R>* z, Offset ldz, const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  r += blockIdx.y * ldr, z += blockIdx.y * ldz;
  const Index number = Index((blockIdx.x * threads + threadIdx.x) / lanes);
  const int lane = int(threadIdx.x) % lanes;
  const bool works = number < count;
  const ColouredGroup group = groups[works ? number : 0];
  const Index length = works ? group.length : 0;
  const complex<float>* values = all_values + group.values;
  complex<R> sums[most_rows];
  for (Index k = lane; k < length; k += lanes) {
    const complex<R> zk = z[all_columns[group.columns + k]];
#pragma unroll
    for (int i = 0; i < most_rows; ++i) {
      if (i >= group.size) continue;
      const complex<float> v = values[Offset(i) * length + k];
      sums[i] += complex<R>(R(v.re), R(v.im)) * zk;
    }
  }
#pragma unroll
  for (int i = 0; i < most_rows; ++i) {
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2) {
      sums[i].re += __shfl_xor_sync(0xffffffffu, sums[i].re, d);
      sums[i].im += __shfl_xor_sync(0xffffffffu, sums[i].im, d);
    }
  }
  if (!works || lane >= group.size) return;
  const Index* rows = all_rows + group.rows;
  const complex<float>* inverse = all_inverses + group.inverse + lane * group.size;
  complex<R> result;
#pragma unroll
  for (int j = 0; j < most_rows; ++j) {
    if (j >= group.size) continue;
    result += complex<R>(R(inverse[j].re), R(inverse[j].im)) * (r[rows[j]] - sums[j]);
  }
  z[rows[lane]] = result;
}

}  // namespace

template <class R>
DeviceGaussSeidel<R>::DeviceGaussSeidel(const ColouredRows& rows)
    : colour_offsets_(rows.colour_offsets),
      groups_(rows.groups),
      rows_(rows.rows),
      columns_(rows.columns),
      values_(rows.values),
      inverses_(rows.inverses) {}

template <class R>
void DeviceGaussSeidel<R>::sweep(bool forward, const complex<R>* r, Offset ldr, complex<R>* z, Offset ldz,
                                 Index n, const DeviceQueue& queue) const {
  const int colours = int(colour_offsets_.size()) - 1;
  for (int step = 0; step < colours; ++step) {
    const int c = forward ? step : colours - 1 - step;
    const Index begin = colour_offsets_[c], count = colour_offsets_[c + 1] - begin;
    if (count == 0) continue;
    const unsigned blocks = unsigned((Offset(count) * lanes + threads - 1) / threads);
    sweep_colour<<<dim3(blocks, unsigned(n)), threads, 0, static_cast<cudaStream_t>(queue.stream)>>>(
        groups_.data() + begin, count, rows_.data(), columns_.data(), values_.data(), inverses_.data(), r,
        ldr, z, ldz, queue.skip);
    CURLEW_CHECK_LAUNCH("sweep_colour");
  }
}

template class DeviceGaussSeidel<double>;
template class DeviceGaussSeidel<float>;

}  // namespace curlew::linalg
