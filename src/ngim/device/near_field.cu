// SPDX-License-Identifier: BSD-3-Clause
// Stage 0 on the device: direct sums between the leaves of the near lists.

#include "base/cuda.hpp"
#include "ngim/device/stages.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int num_warps = 4;  // of a block; they share the targets of a leaf and divide its sources

/// What a lane reads of a source besides its place: with one charge, its real part stands in the place's w.
template <class T, int C>
struct TileCharge {
  complex<T> q[C];
  __device__ void set(Point<T>&, int c, complex<T> value) { q[c] = value; }
  __device__ complex<T> get(const Point<T>&, int c) const { return q[c]; }
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

/// Sources first, first + step, ... of the tile at the lane's targets. Where all phases take hardware sines,
/// a quarter of the pairs takes polynomials instead: both kinds of units are then busy.
template <Wave W, bool gradient, bool masked, int P, int C, class T>
__device__ __forceinline__ void sum_tile(const WarpTile<T, C>& tile, int first, int step, int count,
                                         const Kernel<T>& kernel, Targets<T, C, P>& t) {
  const auto add = [&]<bool polynomial>(int s, int p, std::bool_constant<polynomial>) {
    const Point<T> source = tile.point[s];
    complex<T> q[C];
#pragma unroll
    for (int c = 0; c < C; ++c) q[c] = tile.charge[s].get(source, c);
    add_pair<W, gradient, masked, polynomial, C, T>(t.sum[p], t.x[p] - source.x, t.y[p] - source.y,
                                                    t.z[p] - source.z, q, kernel);
  };
  constexpr int unroll = 4;
  constexpr bool mixed = W == Wave::scaled;
  int s = first;
  for (; s + (unroll - 1) * step < count; s += unroll * step) {
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
#pragma unroll
      for (int p = 0; p < P; ++p) {
        if (mixed && (u * P + p) % 4 == 3)
          add(s + u * step, p, std::bool_constant<mixed>());
        else
          add(s + u * step, p, std::bool_constant<false>());
      }
    }
  }
  for (; s < count; s += step) {
#pragma unroll
    for (int p = 0; p < P; ++p) add(s, p, std::bool_constant<false>());
  }
}

/// Sums the boxes warp, warp + 4, ... of a leaf's list. A lane brings one source into shared memory; then all
/// lanes read the same one, so a load serves 32 P pairs. Few targets: the lanes are `split` groups that share
/// the targets and divide the sources of a tile.
template <Wave W, bool gradient, int P, int C, class T>
__device__ __forceinline__ void sum_leaf(const View<T>& view, const DeviceBox& box, const Index* list,
                                         int count, int chunk, int split, const Kernel<T>& kernel,
                                         WarpTile<T, C>& tile, Targets<T, C, P>& targets) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, lanes = 32 / split;
  const T scale = coordinate_scale<W>(kernel);
  for (int p = 0; p < P; ++p) {
    const int t = min(chunk + lane % lanes + 32 * p, box.num_targets - 1);
    const Point<T> at = view.targets[box.target_begin + t];
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
        for (int c = 0; c < C; ++c) tile.charge[lane].set(at, c, view.charges[c * view.num_sources + s]);
        tile.point[lane] = at;
      }
      __syncwarp();
      if (is_self)
        sum_tile<W, gradient, true, P, C, T>(tile, lane / lanes, split, here, kernel, targets);
      else
        sum_tile<W, gradient, false, P, C, T>(tile, lane / lanes, split, here, kernel, targets);
    }
  }
}

/// Adds the sums of the lane groups and of the warps, and stores them.
/// @param scale of the coordinates that the sums were made with
template <bool gradient, int P, int C, class T>
__device__ __forceinline__ void store_sums(const View<T>& view, const DeviceBox& box, int chunk, int split,
                                           T scale, const Targets<T, C, P>& targets) {
  constexpr int parts = gradient ? 8 : 2;
  __shared__ T shared[num_warps][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, lanes = 32 / split;
#pragma unroll
  for (int p = 0; p < P; ++p) {
#pragma unroll
    for (int v = 0; v < C * parts; ++v) {
      __syncthreads();
      T mine = targets.sum[p][v / parts].v[v % parts];
      for (int apart = 16; apart >= lanes; apart /= 2) mine += __shfl_down_sync(0xffffffffu, mine, apart);
      shared[warp][lane] = mine;
      __syncthreads();
      const int t = chunk + lane + 32 * p;
      if (warp == 0 && lane < lanes && t < box.num_targets) {
        T total = 0;
        for (int w = 0; w < num_warps; ++w) total += shared[w][lane];
        total *= v % parts < 2 ? scale : scale * scale;
        view.fields[v * view.num_targets + box.target_begin + t] = total;
      }
    }
  }
}

template <Wave W, bool gradient, int P, int C, class T>
__device__ __forceinline__ void leaf_chunk(const View<T>& view, const DeviceBox& box, const Index* list,
                                           int count, int chunk, int split, const Kernel<T>& kernel) {
  __shared__ WarpTile<T, C> tiles[num_warps];
  Targets<T, C, P> targets;
  sum_leaf<W, gradient, P, C, T>(view, box, list, count, chunk, split, kernel, tiles[threadIdx.x / 32],
                                 targets);
  store_sums<gradient, P, C, T>(view, box, chunk, split, coordinate_scale<W>(kernel), targets);
}

/// One block per leaf; lanes are targets (one or two each), warps divide the boxes of its list. A pair in
/// single precision at short phases takes 17 instructions, one of them of the special-function unit.
template <Wave W, bool gradient, int C, class T>
__global__ __launch_bounds__(32 * num_warps) void near_field(View<T> view, Kernel<T> kernel) {
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  const Index* list = view.near + view.near_offsets[blockIdx.x];
  const int count = int(view.near_offsets[blockIdx.x + 1] - view.near_offsets[blockIdx.x]);
  constexpr int pair = C == 1 ? 2 : 1;  // targets per lane where there are enough; sums fill the registers
  for (int chunk = 0; chunk < box.num_targets;) {
    const int left = box.num_targets - chunk;
    if (pair == 2 && left > 32) {
      leaf_chunk<W, gradient, pair, C, T>(view, box, list, count, chunk, 1, kernel);
      chunk += 64;
    } else {
      leaf_chunk<W, gradient, 1, C, T>(view, box, list, count, chunk, left > 16 ? 1 : (left > 8 ? 2 : 4),
                                       kernel);
      chunk += 32;
    }
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
