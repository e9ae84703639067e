// SPDX-License-Identifier: BSD-3-Clause
// Stage 0 on the device: direct sums between the leaves of the near lists.

#include "base/cuda.hpp"
#include "ngim/device/stages.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int num_warps = 4;  // of a block; they share the targets of a leaf and divide its sources

/// Largest number of targets per lane: their data fill the registers (ten are slower).
template <int C, bool gradient>
constexpr int most_targets = C == 1 ? (gradient ? 4 : 8) : (gradient ? 1 : 4);

/// Data of a source besides its position; with one charge, the real part is in the position's w.
template <class T, int C>
struct TileCharge {
  T re[C], im[C];
  __device__ void set(Point<T>&, int c, complex<T> value) { re[c] = value.re, im[c] = value.im; }
  __device__ complex<T> get(const Point<T>&, int c) const { return {re[c], im[c]}; }
};
template <class T>
struct TileCharge<T, 1> {
  T im;
  __device__ void set(Point<T>& p, int, complex<T> value) { p.w = value.re, im = value.im; }
  __device__ complex<T> get(const Point<T>& p, int) const { return {p.w, im}; }
};

/// Thirty-two sources of one warp, relative to the centre of the targets' leaf.
template <class T, int C>
struct WarpTile {
  Point<T> point[32];
  TileCharge<T, C> charge[32];
};

/// Targets of one lane: places and sums.
template <class T, int C, int P>
struct Targets {
  T x[P], y[P], z[P];
  Sum<T> sum[P][C];
};

/// Targets of one chunk of a leaf: `lanes` (a power of two) lanes hold P each, the other groups of as many
/// lanes hold the same and share the sources.
struct Chunk {
  int first, lanes;
  __device__ int target(int p) const { return first + int(threadIdx.x) % lanes + lanes * p; }
  __device__ int group() const { return int(threadIdx.x) % 32 / lanes; }
  __device__ int num_groups() const { return 32 / lanes; }
};

/// One source at the targets of a lane. @param turn of the unrolled loop, for the mixture of polynomials
template <Wave W, bool gradient, bool masked, int P, int C, class T>
__device__ __forceinline__ void add_source(const WarpTile<T, C>& tile, int s, int turn,
                                           const Kernel<T>& kernel, Targets<T, C, P>& t) {
  const Point<T> source = tile.point[s];
  complex<T> q[C];
#pragma unroll
  for (int c = 0; c < C; ++c) q[c] = tile.charge[s].get(source, c);
#pragma unroll
  for (int p = 0; p < P; ++p)
    add_mixed_pair<W, gradient, masked>(turn * P + p, t.sum[p], t.x[p] - source.x, t.y[p] - source.y,
                                        t.z[p] - source.z, q, kernel);
}

/// Adds the fields of the group's part of the tile's sources at the lane's targets.
template <Wave W, bool gradient, bool masked, int P, int C, class T>
__device__ __forceinline__ void sum_tile(const WarpTile<T, C>& tile, const Chunk& chunk, int count,
                                         const Kernel<T>& kernel, Targets<T, C, P>& targets) {
  constexpr int turns = masked ? 1 : (P >= 5 ? 2 : (P == 1 ? 8 : 4));  // masked: one box of 27
  const int step = chunk.num_groups();
  int s = chunk.group();
  for (; s + (turns - 1) * step < count; s += turns * step) {
#pragma unroll
    for (int turn = 0; turn < turns; ++turn)
      add_source<W, gradient, masked>(tile, s + turn * step, turn, kernel, targets);
  }
  if constexpr (turns > 1) {
#pragma unroll 1
    for (; s < count; s += step) add_source<W, gradient, masked>(tile, s, 0, kernel, targets);
  }
}

/// Sums the boxes warp, warp + 4, ... of a leaf's list. A lane copies one source into shared memory; then all
/// lanes of a group read the same one, so that a load is used for P pairs of each lane.
template <Wave W, bool gradient, int P, int C, class T>
__device__ __forceinline__ void sum_leaf(const View<T>& view, const DeviceBox& box, const Index* list,
                                         int count, const Chunk& chunk, const Kernel<T>& kernel,
                                         WarpTile<T, C>& tile, Targets<T, C, P>& targets) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const T scale = coordinate_scale<W>(kernel);
#pragma unroll
  for (int p = 0; p < P; ++p) {
    const Point<T> at = view.targets[box.target_begin + min(chunk.target(p), box.num_targets - 1)];
    targets.x[p] = exact_product(scale, at.x), targets.y[p] = exact_product(scale, at.y),
    targets.z[p] = exact_product(scale, at.z);
  }
  for (int l = warp; l < count; l += num_warps) {
    const DeviceBox& from = view.boxes[list[l]];
    const Vec3<T> shift = shift_between<T>(from, box);
    const bool is_self = from.x == box.x && from.y == box.y && from.z == box.z;
    for (int first = 0; first < from.num_sources; first += 32) {
      const int here = min(32, from.num_sources - first);
      __syncwarp();
      if (lane < here) {
        const Offset s = from.source_begin + first + lane;
        Point<T> at = view.sources[s];
        at.x = scale * (at.x + shift.x), at.y = scale * (at.y + shift.y), at.z = scale * (at.z + shift.z);
        for (int c = 0; c < C; ++c) {
          complex<T> q = view.charges[c * view.num_sources + s];
          if constexpr (is_polar<W, gradient, C>) q = polar(q);
          tile.charge[lane].set(at, c, q);
        }
        tile.point[lane] = at;
      }
      __syncwarp();
      if (is_self)
        sum_tile<W, gradient, true>(tile, chunk, here, kernel, targets);
      else
        sum_tile<W, gradient, false>(tile, chunk, here, kernel, targets);
    }
  }
}

/// Adds the sums of the lane groups and of the warps, and stores them.
/// @param scale of the coordinates that the sums were made with
template <bool gradient, int P, int C, class T>
__device__ __forceinline__ void store_sums(const View<T>& view, const DeviceBox& box, const Chunk& chunk,
                                           T scale, const Targets<T, C, P>& targets) {
  constexpr int parts = gradient ? 8 : 2;
  __shared__ T shared[num_warps][P > 4 ? 64 : 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = threadIdx.x;
#pragma unroll
  for (int v = 0; v < C * parts; ++v) {
    __syncthreads();
#pragma unroll
    for (int p = 0; p < P; ++p) {
      T mine = targets.sum[p][v / parts].v[v % parts];
      for (int apart = 16; apart >= chunk.lanes; apart /= 2)
        mine += __shfl_down_sync(0xffffffffu, mine, apart);
      if (lane < chunk.lanes) shared[warp][lane + chunk.lanes * p] = mine;
    }
    __syncthreads();
    if (i < P * chunk.lanes && chunk.first + i < box.num_targets) {
      T total = 0;
      for (int w = 0; w < num_warps; ++w) total += shared[w][i];
      total *= v % parts < 2 ? scale : scale * scale;
      view.fields[v * view.num_targets + box.target_begin + chunk.first + i] = total;
    }
  }
}

/// Calls f with p, of 1 ... most, as a constant.
template <int most, class F>
__device__ __forceinline__ void with_constant(int p, F&& f) {
  if constexpr (most > 1) {
    if (p < most) return with_constant<most - 1>(p, f);
  }
  f(std::integral_constant<int, most>());
}

/// One block per leaf; warps divide the boxes of its list. Lanes hold as many targets as registers allow, so
/// that few lanes are idle for any number of targets: 64 +- 8 in a uniform tree leave 4 % idle. A pair in
/// single precision at short phases takes 17 instructions, one of the special-function unit.
template <Wave W, bool gradient, int C, class T>
__global__ __launch_bounds__(32 * num_warps) void near_field(View<T> view, Kernel<T> kernel) {
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  const Index* list = view.near + view.near_offsets[blockIdx.x];
  const int count = int(view.near_offsets[blockIdx.x + 1] - view.near_offsets[blockIdx.x]);
  __shared__ WarpTile<T, C> tiles[num_warps];
  constexpr int most = most_targets<C, gradient>;
  for (Chunk chunk{0, 8}; chunk.first < box.num_targets;) {
    const int left = box.num_targets - chunk.first;
    chunk.lanes = most >= 4 || left <= 8 ? 8 : (left <= 16 ? 16 : 32);
    const int p = min(most, (left + chunk.lanes - 1) / chunk.lanes);
    with_constant<most>(p, [&](auto num) {
      Targets<T, C, decltype(num)::value> targets;
      sum_leaf<W, gradient>(view, box, list, count, chunk, kernel, tiles[threadIdx.x / 32], targets);
      store_sums<gradient>(view, box, chunk, coordinate_scale<W>(kernel), targets);
    });
    chunk.first += p * chunk.lanes;
  }
}

}  // namespace

template <class T>
void launch_near_field(const Evaluation<T>& e, cudaStream_t stream) {
  if (e.view.num_leaves == 0) return;
  dispatch_wave<T, true>(e.near_wave, [&](auto wave) {
    dispatch_shape(e.num_vectors, e.gradient, [&](auto vectors, auto gradient) {
      constexpr Wave W = decltype(wave)::value;
      near_field<W, decltype(gradient)::value, decltype(vectors)::value, T>
          <<<unsigned(e.view.num_leaves), 32 * num_warps, 0, stream>>>(e.view, e.kernel);
    });
  });
  CURLEW_CHECK_LAUNCH("near_field");
}

template void launch_near_field(const Evaluation<float>&, cudaStream_t);
template void launch_near_field(const Evaluation<double>&, cudaStream_t);

}  // namespace curlew::ngim::device
