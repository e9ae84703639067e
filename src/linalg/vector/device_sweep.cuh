// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// DeviceBackend::sweep: a grid-stride loop whose last block adds the blocks' sums in a fixed order and runs
// the finish, so that scalars never leave the device and runs repeat bit for bit.

#include <algorithm>

#include "linalg/vector/device_backend.hpp"

namespace curlew::linalg {
namespace device {

constexpr int sweep_threads = 256;

/// Sum over the block, valid in thread 0. @param shared [sweep_threads / 32]
__device__ inline Sum block_sum(Sum z, Sum* shared) {
  for (int d = 16; d > 0; d /= 2) {
    z.re += __shfl_down_sync(0xffffffffu, z.re, d);
    z.im += __shfl_down_sync(0xffffffffu, z.im, d);
  }
  __syncthreads();  // the caller's previous sum has been read
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = z;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < sweep_threads / 32; ++w) z += shared[w];
  }
  return z;
}

/// One thread's share of the blocks' sums. Loads go ahead of the additions: only one block is at work here,
/// and waits for every one of them.
__device__ inline Sum strided_sum(const Sum* partials, unsigned count) {
  constexpr int ahead = 8;
  Sum sum;
  for (unsigned first = threadIdx.x; first < count; first += ahead * sweep_threads) {
    Sum next[ahead];
#pragma unroll
    for (int u = 0; u < ahead; ++u)
      if (first + u * sweep_threads < count) next[u] = partials[first + u * sweep_threads];
#pragma unroll
    for (int u = 0; u < ahead; ++u) sum += next[u];
  }
  return sum;
}

template <int NS, class Body, class Finish>
__global__ __launch_bounds__(sweep_threads) void sweep(Offset n, Body body, Finish finish, Sum* partials,
                                                       unsigned* ticket, const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  Sum sums[NS > 0 ? NS : 1];
  const Offset stride = Offset(gridDim.x) * sweep_threads;
#pragma unroll 4
  for (Offset i = Offset(blockIdx.x) * sweep_threads + threadIdx.x; i < n; i += stride) body(i, sums);
  if constexpr (NS > 0) {
    __shared__ Sum shared[sweep_threads / 32];
    __shared__ bool is_last;
#pragma unroll
    for (int s = 0; s < NS; ++s) {
      const Sum sum = block_sum(sums[s], shared);
      if (threadIdx.x == 0) partials[s * gridDim.x + blockIdx.x] = sum;
    }
    if (threadIdx.x == 0) {
      __threadfence();
      is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
#pragma unroll
    for (int s = 0; s < NS; ++s) {
      sums[s] = block_sum(strided_sum(partials + s * gridDim.x, gridDim.x), shared);
    }
    if (threadIdx.x == 0) {
      *ticket = 0;
      finish(sums);
    }
  }
}

/// Values of a thread that are loaded before the first is stored: enough bytes on their way without many
/// warps.
constexpr int map_unroll = 4;

template <class Load, class Store>
__global__ __launch_bounds__(sweep_threads) void map(Offset n, Load load, Store store, const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  const Offset first = Offset(blockIdx.x) * (sweep_threads * map_unroll) + threadIdx.x;
  decltype(load(Offset())) values[map_unroll];
#pragma unroll
  for (int u = 0; u < map_unroll; ++u) {
    const Offset i = first + u * sweep_threads;
    if (i < n) values[u] = load(i);
  }
#pragma unroll
  for (int u = 0; u < map_unroll; ++u) {
    const Offset i = first + u * sweep_threads;
    if (i < n) store(i, values[u]);
  }
}

struct NoFinish {
  __host__ __device__ void operator()(const Sum*) const {}
};

}  // namespace device

template <int NS, class Body, class Finish>
void DeviceBackend::sweep(Offset n, Body body, Finish finish) {
  static_assert(NS <= max_sums);
  if (n == 0 && NS == 0) return;
  const Offset wanted = (n + device::sweep_threads - 1) / device::sweep_threads;
  const unsigned blocks = unsigned(std::clamp<Offset>(wanted, 1, max_blocks_));
  device::sweep<NS><<<blocks, device::sweep_threads, 0, stream_>>>(n, body, finish, partials_.data(),
                                                                   ticket_.data(), skip_);
  CURLEW_CHECK_LAUNCH("sweep");
}

template <class Body>
void DeviceBackend::sweep(Offset n, Body body) {
  sweep<0>(n, body, device::NoFinish());
}

template <class Load, class Store>
void DeviceBackend::map(Offset n, Load load, Store store) {
  if (n == 0) return;
  constexpr Offset per_block = device::sweep_threads * device::map_unroll;
  device::map<<<unsigned((n + per_block - 1) / per_block), device::sweep_threads, 0, stream_>>>(n, load,
                                                                                                store, skip_);
  CURLEW_CHECK_LAUNCH("map");
}

}  // namespace curlew::linalg
