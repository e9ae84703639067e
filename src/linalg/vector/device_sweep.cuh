// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// DeviceBackend::sweep: a grid-stride loop whose last block adds the blocks' sums in a fixed order and runs
// the finish, so that scalars never leave the device and results are bitwise reproducible.

#include <algorithm>

#include "base/lane_sum.cuh"
#include "linalg/vector/device_backend.hpp"

namespace curlew::linalg {
namespace device {

constexpr int sweep_threads = DeviceBackend::sweep_threads, sweep_warps = sweep_threads / 32;

/// Sum of every `width`-th block's sums, for one thread. Loads are issued before the additions: only one
/// block runs here and would wait for each load.
__device__ inline Sum strided_sum(const Sum* partials, unsigned count, int width) {
  constexpr int ahead = 8;
  Sum sum;
  for (unsigned first = threadIdx.x % width; first < count; first += ahead * width) {
    Sum next[ahead];
#pragma unroll
    for (int u = 0; u < ahead; ++u)
      if (first + u * width < count) next[u] = partials[first + u * width];
#pragma unroll
    for (int u = 0; u < ahead; ++u) sum += next[u];
  }
  return sum;
}

/// Warps that add the blocks' sums of one of NS, all NS in parallel as far as the warps suffice.
template <int NS>
inline constexpr int warps_of_sum = NS < sweep_warps ? sweep_warps / NS : 1;

/// Run by the last block: adds the blocks' sums, [NS][blocks]. @param shared [sweep_warps] @param[out] total
/// [NS]
template <int NS>
__device__ void add_partials(const Sum* partials, Sum* shared, Sum* total) {
  constexpr int warps = warps_of_sum<NS>, at_once = sweep_warps / warps;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int first = 0; first < NS; first += at_once) {
    const int s = first + warp / warps;
    __syncthreads();  // what was shared before has been read
    if (s < NS && warp < at_once * warps) {
      const Sum sum = lane_sum(strided_sum(partials + s * gridDim.x, gridDim.x, 32 * warps));
      if (lane == 0) shared[warp] = sum;
    }
    __syncthreads();
    if (int(threadIdx.x) < at_once && first + int(threadIdx.x) < NS) {
      Sum sum;
      for (int w = 0; w < warps; ++w) sum += shared[int(threadIdx.x) * warps + w];
      total[first + int(threadIdx.x)] = sum;
    }
  }
  __syncthreads();
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
    __shared__ Sum of_warps[NS][sweep_warps], total[NS];
    __shared__ bool is_last;
#pragma unroll
    for (int s = 0; s < NS; ++s) {
      const Sum sum = lane_sum(sums[s]);
      if (threadIdx.x % 32 == 0) of_warps[s][threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (int(threadIdx.x) < NS) {
      Sum sum;
      for (int w = 0; w < sweep_warps; ++w) sum += of_warps[threadIdx.x][w];
      partials[threadIdx.x * gridDim.x + blockIdx.x] = sum;
      __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    add_partials<NS>(partials, of_warps[0], total);
    if (threadIdx.x == 0) {
      *ticket = 0;
      finish(total);
    }
  }
}

/// Values of a thread that are loaded before the first is stored: enough loads in flight without many warps.
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
  const auto kernel = device::sweep<NS, Body, Finish>;
  // With sums no more blocks than run at the same time: each adds its own at its end.
  static const int each = NS == 0 ? most_blocks_each : blocks_each(reinterpret_cast<const void*>(kernel));
  const unsigned blocks = unsigned(std::clamp<Offset>(wanted, 1, Offset(multiprocessors_) * each));
  kernel<<<blocks, device::sweep_threads, 0, stream_>>>(n, body, finish, partials_.data(), ticket_.data(),
                                                        skip_);
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
