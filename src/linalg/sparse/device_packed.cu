// SPDX-License-Identifier: BSD-3-Clause
// Product of the packed format: one warp a slice. A nonzero of a group of G rows costs 16 (complex) or 8
// (real) bytes of value and 2/G or 4/G bytes of column, and G products share one read of x.
#include <algorithm>

#include "linalg/sparse/device_load.cuh"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::linalg {
namespace {

// Best on an H200 of blocks of 64 to 512 threads, 2 to 14 steps in flight, loads with and without hints to
// the caches, with and without columns read a batch ahead, warps for one slice and for many.
constexpr int block_size = 128;
template <int MaxG>
constexpr int min_blocks = MaxG == 1 ? 6 : 5;
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

/// Steps in flight at a time: enough loads to hide the latency, few enough registers for many warps.
template <int G, int N>
constexpr int steps_in_flight = G* N == 1 ? 9 : (G* N <= 3 ? 3 : 2);

/// Adds one batch of steps, all its loads before the first product. A batch of the end (not Full) has `left`
/// steps; it is loaded at once like the others, which one step after the other would wait for each.
/// Stride: of the codes, from step to step.
template <int G, int N, int Stride, bool Full, class Value, class Code, class R>
__device__ inline void add_batch(const Value* __restrict__ values, const Code* __restrict__ codes, Index left,
                                 const complex<R>* __restrict__ x, Offset ldx, complex<R> (&sums)[G][N]) {
  constexpr int batch = steps_in_flight<G, N>;
  Value value[batch][G];
  Index column[batch];
  complex<R> z[batch][N];
#pragma unroll
  for (int u = 0; u < batch; ++u) {
    if (Full || u < left) column[u] = device::stream(codes + Stride * u);
  }
#pragma unroll
  for (int u = 0; u < batch; ++u) {
#pragma unroll
    for (int g = 0; g < G; ++g) {
      if (Full || u < left) value[u][g] = device::stream(values + lanes * (u * G + g));
    }
  }
#pragma unroll
  for (int u = 0; u < batch; ++u) {
#pragma unroll
    for (int n = 0; n < N; ++n) {
      if (Full || u < left) z[u][n] = device::read(x + column[u] + n * ldx);
    }
  }
#pragma unroll
  for (int u = 0; u < batch; ++u) {
#pragma unroll
    for (int n = 0; n < N; ++n) {
#pragma unroll
      for (int g = 0; g < G; ++g) {
        if (Full || u < left) device::add_product(sums[g][n], value[u][g], z[u][n]);
      }
    }
  }
}

/// The sums of this lane: G rows by N right-hand sides.
template <int G, int N, int Stride, class Value, class Code, class R>
__device__ inline void lane_products(const Value* __restrict__ values, const Code* __restrict__ codes,
                                     Index steps, const complex<R>* __restrict__ x, Offset ldx,
                                     complex<R> (&sums)[G][N]) {
  constexpr int batch = steps_in_flight<G, N>;
  Index k = 0;
  for (; k + batch <= steps; k += batch) {
    add_batch<G, N, Stride, true>(values + Offset(lanes) * G * k, codes + Stride * k, batch, x, ldx, sums);
  }
  if (k < steps) {
    add_batch<G, N, Stride, false>(values + Offset(lanes) * G * k, codes + Stride * k, steps - k, x, ldx,
                                   sums);
  }
}

template <int G, int N, class V, class Value, class R>
__device__ inline void products_by_columns(const View<V>& a, const PackedSlice& s, const Value* values,
                                           int lane, const Columns<R>& c, complex<R> (&sums)[G][N]) {
  if (s.columns == PackedColumns::narrow) {
    lane_products<G, N, lanes>(values, a.narrow_codes + s.codes + lane, s.steps, c.x + s.base_column, c.ldx,
                               sums);
  } else if (G > 1 || s.columns == PackedColumns::wide) {
    lane_products<G, N, lanes>(values, a.wide_codes + s.codes + lane, s.steps, c.x, c.ldx, sums);
  } else {  // shifted: slices are full, so that every lane has a row
    lane_products<G, N, 1>(values, a.wide_codes + s.codes, s.steps, c.x + a.rows[s.rows + lane], c.ldx, sums);
  }
}

template <int G, int N, class V, class R>
__device__ inline void slice_product(const View<V>& a, const PackedSlice& s, int lane, const Columns<R>& c) {
  complex<R> sums[G][N];
  if (s.is_real)
    products_by_columns<G, N>(a, s, a.real_values + s.values + lane, lane, c, sums);
  else
    products_by_columns<G, N>(a, s, a.complex_values + s.values + lane, lane, c, sums);
  const int threads = s.threads;
#pragma unroll
  for (int g = 0; g < G; ++g) {
#pragma unroll
    for (int n = 0; n < N; ++n) sums[g][n] = device::lane_sum(sums[g][n], threads);
    const Index row = a.rows[s.rows + lane / threads * G + g];
    if (lane % threads == 0 && row >= 0) {
#pragma unroll
      for (int n = 0; n < N; ++n) c.y[row + n * c.ldy] = sums[g][n];
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
    slice_product<1, N>(a, s, lane, c);
  } else {
    switch (s.group) {
      case 1:
        return slice_product<1, N>(a, s, lane, c);
      case 2:
        return slice_product<2, N>(a, s, lane, c);
      case 3:
        return slice_product<3, N>(a, s, lane, c);
      case 4:
        return slice_product<4, N>(a, s, lane, c);
      default:
        return slice_product<6, N>(a, s, lane, c);
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
