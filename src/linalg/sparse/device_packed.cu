// SPDX-License-Identifier: BSD-3-Clause
// Product of the packed format: one warp per slice. A nonzero of a group of G rows costs 16 (complex) or 8
// (real) bytes of value and 2/G or 4/G bytes of column, and G products share one read of x.
#include <algorithm>

#include "base/lane_sum.cuh"
#include "linalg/sparse/device_load.cuh"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::linalg {
namespace {

constexpr int block_size = 128;
constexpr int lanes = 32;

template <class V>
struct View {
  Index num_slices;
  const PackedSlice* slices;
  const Index* rows;
  const V* real_values;
  const complex<V>* complex_values;
  const std::uint16_t* narrow_codes;
  const Index* wide_codes;
};

template <class R>
struct Columns {
  const complex<R>* x;
  Offset ldx;
  complex<R>* y;
  Offset ldy;
};

/// Steps in flight at a time. Best on an H200 with groups: four, in few warps of many registers; more warps
/// or more steps were slower, and with one row per lane (MaxG == 1) nine.
template <int Rows, int N, int MaxG, bool IsReal>
constexpr int steps_in_flight = N > 1 ? 2 : (MaxG == 1 ? 9 : (Rows == 1 || IsReal ? 6 : 4));
/// Nine steps leave no registers for the columns of the next nine.
template <int Steps>
constexpr bool reads_ahead = Steps < 9;
template <int MaxG>
constexpr int min_blocks = MaxG > 1 ? 4 : 6;

/// Adds one batch of steps, all its loads before the first product; the columns of the next batch are
/// requested before it waits. The last batch (not Full) has `left` steps and is also loaded at once, since
/// single steps would wait for each load.
template <bool Full, int Steps, int Rows, int N, class Value, class R, class F>
__device__ inline void add_batch(const Value* __restrict__ values, const Index (&columns)[Steps], Index left,
                                 const Columns<R>& c, F ask_for_next, complex<R> (&sums)[Rows][N]) {
  Value value[Steps][Rows];
  complex<R> z[Steps][N];
#pragma unroll
  for (int u = 0; u < Steps; ++u) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      if (Full || u < left) value[u][r] = device::stream(values + lanes * (u * Rows + r));
    }
  }
#pragma unroll
  for (int u = 0; u < Steps; ++u) {
#pragma unroll
    for (int n = 0; n < N; ++n) {
      if (Full || u < left) z[u][n] = device::read(c.x + columns[u] + n * c.ldx);
    }
  }
  ask_for_next();
#pragma unroll
  for (int u = 0; u < Steps; ++u) {
#pragma unroll
    for (int n = 0; n < N; ++n) {
#pragma unroll
      for (int r = 0; r < Rows; ++r) {
        if (Full || u < left) device::add_product(sums[r][n], value[u][r], z[u][n]);
      }
    }
  }
}

/// The sums of this lane: every row of its half of a warp, by N right-hand sides. Columns that differ between
/// lanes are read a batch ahead. @param stride of the codes, from step to step
template <int Steps, int Rows, int N, class Value, class Code, class R>
__device__ inline void lane_products(const Value* __restrict__ values, const Code* __restrict__ codes,
                                     int stride, Index steps, const Columns<R>& c,
                                     complex<R> (&sums)[Rows][N]) {
  Index columns[Steps];
  Index k = 0;
  const auto ask = [&](Index first) {
#pragma unroll
    for (int u = 0; u < Steps; ++u)
      columns[u] = first + u < steps ? device::stream(codes + stride * (first + u)) : 0;
  };
  const auto ask_for_next = [&] {
    if constexpr (reads_ahead<Steps>) ask(k + Steps);
  };
  ask(0);
  while (k + Steps <= steps) {
    add_batch<true>(values + Offset(lanes) * Rows * k, columns, Steps, c, ask_for_next, sums);
    k += Steps;
    if constexpr (!reads_ahead<Steps>) ask(k);
  }
  if (k < steps)
    add_batch<false>(
        values + Offset(lanes) * Rows * k, columns, steps - k, c, [] {}, sums);
}

/// The same where all lanes have one list of columns: each lane reads a code and passes it to the others.
template <int Steps, int N, class Value, class R>
__device__ inline void shifted_products(const Value* __restrict__ values, const Index* __restrict__ codes,
                                        int lane, Index steps, const Columns<R>& c,
                                        complex<R> (&sums)[1][N]) {
  constexpr int piece = lanes / Steps * Steps;
  for (Index first = 0; first < steps; first += piece) {
    const Index mine = codes[min(first + lane, steps - 1)], count = min(piece, steps - first);
    Index columns[Steps];
    for (Index k = 0; k < count; k += Steps) {
#pragma unroll
      for (int u = 0; u < Steps; ++u) columns[u] = __shfl_sync(0xffffffffu, mine, (k + u) % lanes);
      const Value* from = values + Offset(lanes) * (first + k);
      if (k + Steps <= count)
        add_batch<true>(
            from, columns, Steps, c, [] {}, sums);
      else
        add_batch<false>(
            from, columns, count - k, c, [] {}, sums);
    }
  }
}

/// @param place of the lane among packed_lanes(group)
template <int Steps, int Rows, int N, class V, class Value, class R>
__device__ inline void products_by_columns(const View<V>& a, const PackedSlice& s, const Value* values,
                                           int lane, int place, Columns<R> c, complex<R> (&sums)[Rows][N]) {
  const int places = packed_lanes(s.group);
  if (s.columns == PackedColumns::narrow) {
    c.x += s.base_column;
    lane_products<Steps>(values, a.narrow_codes + s.codes + place, places, s.steps, c, sums);
  } else if (Rows > 1 || s.columns == PackedColumns::wide) {
    lane_products<Steps>(values, a.wide_codes + s.codes + place, places, s.steps, c, sums);
  } else if constexpr (Rows == 1) {  // shifted: slices are full, so that every lane has a row
    c.x += a.rows[s.rows + lane];
    shifted_products<Steps>(values, a.wide_codes + s.codes, lane, s.steps, c, sums);
  }
}

/// Rows: how many of its group's rows a lane adds up, 1 to 3.
template <int MaxG, int Rows, int N, class V, class R>
__device__ inline void slice_product(const View<V>& a, const PackedSlice& s, int lane, const Columns<R>& c) {
  // The lanes of one group are adjacent in each half of a warp: neighbours then read the same x.
  const int threads = s.threads, bits = __ffs(threads) - 1, t = lane & (threads - 1);
  const int places = packed_lanes(s.group), halves = lanes / places;
  const int group = lane >> bits >> (halves - 1), half = lane >> bits & (halves - 1);
  const int place = (group << bits) + t, at = half * places + place;
  const Index* group_rows = a.rows + s.rows + group * s.group + half;
  Index row[Rows];
#pragma unroll
  for (int r = 0; r < Rows; ++r) row[r] = group_rows[halves * r];
  complex<R> sums[Rows][N];
  if (s.is_real)
    products_by_columns<steps_in_flight<Rows, N, MaxG, true>>(a, s, a.real_values + s.values + at, lane,
                                                              place, c, sums);
  else
    products_by_columns<steps_in_flight<Rows, N, MaxG, false>>(a, s, a.complex_values + s.values + at, lane,
                                                               place, c, sums);
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
#pragma unroll
    for (int n = 0; n < N; ++n) sums[r][n] = lane_sum(sums[r][n], threads);
    if (t == 0 && row[r] >= 0) {
#pragma unroll
      for (int n = 0; n < N; ++n) c.y[row[r] + n * c.ldy] = sums[r][n];
    }
  }
}

/// MaxG is 1 for matrices without groups: their kernel needs fewer registers, so that more warps run.
template <int MaxG, int N, class V, class R>
__global__ __launch_bounds__(block_size, min_blocks<MaxG>) void packed_product(View<V> a, Columns<R> c,
                                                                               const int* skip) {
  if (device::skipped(skip)) return;
  const Index slice = blockIdx.x * (block_size / lanes) + threadIdx.x / lanes;
  if (slice >= a.num_slices) return;
  const PackedSlice s = a.slices[slice];
  const int lane = threadIdx.x % lanes;
  if constexpr (MaxG == 1) {
    slice_product<MaxG, 1, N>(a, s, lane, c);
  } else {
    switch (s.group * packed_lanes(s.group) / lanes) {
      case 1:
        return slice_product<MaxG, 1, N>(a, s, lane, c);
      case 2:
        return slice_product<MaxG, 2, N>(a, s, lane, c);
      default:
        return slice_product<MaxG, 3, N>(a, s, lane, c);
    }
  }
}

template <int MaxG, class V, class R>
void launch(const View<V>& view, const complex<R>* x, Offset ldx, complex<R>* y, Offset ldy, Index n,
            const DeviceQueue& queue) {
  const auto stream = static_cast<cudaStream_t>(queue.stream);
  constexpr int threads = block_size;
  const unsigned warps = threads / lanes, blocks = unsigned((view.num_slices + warps - 1) / warps);
  for (Index column = 0; column < n; column += 2) {
    const Columns<R> c{x + column * ldx, ldx, y + column * ldy, ldy};
    if (column + 1 < n)
      packed_product<MaxG, 2><<<blocks, threads, 0, stream>>>(view, c, queue.skip);
    else
      packed_product<MaxG, 1><<<blocks, threads, 0, stream>>>(view, c, queue.skip);
  }
  CURLEW_CHECK_LAUNCH("packed_product");
}

template <class V>
cuda::Buffer<complex<V>> upload(const std::vector<std::complex<V>>& v) {
  cuda::Buffer<complex<V>> buffer(v.size());
  buffer.upload(reinterpret_cast<const complex<V>*>(v.data()));
  return buffer;
}

}  // namespace

template <class V, class R>
DevicePacked<V, R>::DevicePacked(const Packed<V>& a)
    : num_rows_(a.num_rows),
      has_groups_(
          std::any_of(a.slices.begin(), a.slices.end(), [](const PackedSlice& s) { return s.group > 1; })),
      slices_(a.slices),
      rows_(a.rows),
      real_values_(a.real_values),
      complex_values_(upload(a.complex_values)),
      narrow_codes_(a.narrow_codes),
      wide_codes_(a.wide_codes) {}

template <class V, class R>
void DevicePacked<V, R>::apply(const complex<R>* x, complex<R>* y, const DeviceQueue& queue) const {
  apply_many(x, 0, y, 0, 1, queue);
}

template <class V, class R>
void DevicePacked<V, R>::apply_many(const complex<R>* x, Offset ldx, complex<R>* y, Offset ldy, Index n,
                                    const DeviceQueue& queue) const {
  if (slices_.size() == 0) return;
  const View<V> view{Index(slices_.size()),  slices_.data(),       rows_.data(),      real_values_.data(),
                     complex_values_.data(), narrow_codes_.data(), wide_codes_.data()};
  if (has_groups_)
    launch<6>(view, x, ldx, y, ldy, n, queue);
  else
    launch<1>(view, x, ldx, y, ldy, n, queue);
}

template class DevicePacked<double, double>;
template class DevicePacked<float, float>;
template class DevicePacked<float, double>;

}  // namespace curlew::linalg
