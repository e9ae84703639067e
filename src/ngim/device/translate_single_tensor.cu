// SPDX-License-Identifier: BSD-3-Clause
// Stage 3, first part, of four vectors together in single precision on the tensor cores, which read ten bits
// of a number: for sums that allow an error of a hundredth. Needs compute capability 8.0.
//
// A warp holds R tiles of 16 rows of two targets, neighbours of one octant, and goes through the offsets at
// which one of them has a source. Matrices are read once for both, in half precision, which has as many bits,
// and in the order of the lanes: rows lane/4 and + 8 of a tile, columns lane%4 and + 4 of eight. A lane's
// part of B (rows lane%4 and + 4, column lane/4) is of vector lane/8, real and imaginary parts in turn: the
// eight columns are the four vectors of a target.

#include "ngim/device/translate_single_tensor.cuh"

#include <cuda_fp16.h>

#include <algorithm>

#include "base/single_tensor.cuh"
#include "ngim/device/offsets.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int warps = 4, block_size = 32 * warps;
constexpr int num_targets = 2;  // of a warp
constexpr int most_tiles = 8;   // of a warp
constexpr int depth = 32;       // values of a vector in shared memory at a time
constexpr int vectors = num_targets * most_vectors;
constexpr int stride = vectors + 4;  // so that half a warp reads from all banks

__host__ __device__ int tiles_of(int rank) {
  return (rank + 15) / 16;
}
__host__ __device__ int steps_of(int rank) {  // of eight columns
  return (rank + 7) / 8;
}

/// A lane's part of 16 x 8 entries of a matrix.
union Fragment {
  uint4 bits;
  __half2 entry[4];  ///< rows lane/4 and + 8 of column lane%4, then of column + 4
};

/// The matrices of a level times the side of its boxes, so that none is beyond half precision: [offset][step]
/// [tile][lane], zero behind the last row and column.
__global__ void make_fragments(const LevelMatrices<float>* levels, int number, int rows, float side,
                               uint4* fragments) {
  const LevelMatrices<float> level = levels[number];
  const int rank = level.rank, tiles = tiles_of(rank), count = steps_of(rank) * tiles * 32;
  const complex<float>* matrix = level.translate + Offset(blockIdx.x) * rank * rows;
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const int lane = i % 32, tile = i / 32 % tiles, step = i / 32 / tiles;
    Fragment f;
    for (int e = 0; e < 4; ++e) {
      const int row = 16 * tile + lane / 4 + e % 2 * 8, column = 8 * step + lane % 4 + e / 2 * 4;
      const complex<float> m =
          row < rank && column < rank ? matrix[Offset(column) * rows + row] : complex<float>();
      f.entry[e] = __floats2half2_rn(side * m.re, side * m.im);
    }
    fragments[Offset(blockIdx.x) * count + i] = f.bits;
  }
}

/// An offset at which a target of the warp has a source.
struct Entry {
  Index grid[num_targets];
  int place;  ///< of the matrix
};

struct Shared {
  Entry entry[num_octant_offsets];
  complex<float> value[depth][stride];
};

/// @returns the number of entries
__device__ int list_entries(const View<float>& view, const Group& group, const Index (&target)[num_targets],
                            Shared& shared) {
  const int lane = threadIdx.x % 32;
  int count = 0;
  for (int first = 0; first < num_octant_offsets; first += 32) {
    const int o = first + lane;
    Entry own{};
    const bool is_apart = o < num_octant_offsets && octant_offset(o, group.octant, own.place);
    bool any = false;
#pragma unroll
    for (int t = 0; t < num_targets; ++t) {
      own.grid[t] = is_apart && target[t] != no_box ? source_at(view, target[t], o) : no_box;
      any = any || own.grid[t] != no_box;
    }
    const unsigned votes = __ballot_sync(~0u, any);
    if (any) shared.entry[count + __popc(votes & ((1u << lane) - 1))] = own;
    count += __popc(votes);
  }
  __syncwarp();
  return count;
}

/// A lane's value of each vector of an entry's sources; zero behind the last and where there is no source.
struct Values {
  complex<float> of[vectors];

  __device__ __forceinline__ void load(const View<float>& view, const Entry& entry, int k, int rank) {
#pragma unroll
    for (int t = 0; t < num_targets; ++t) {
      const bool is_there = k < rank && entry.grid[t] != no_box;
      const complex<float>* from = view.outgoing + Offset(is_there ? entry.grid[t] : 0) * view.rows + k;
#pragma unroll
      for (int v = 0; v < most_vectors; ++v)
        of[t * most_vectors + v] = is_there ? from[v * view.grid_values] : complex<float>();
    }
  }
  __device__ __forceinline__ void store(complex<float> (&to)[stride]) const {
#pragma unroll
    for (int i = 0; i < vectors; ++i) to[i] = {cuda::to_tensor(of[i].re), cuda::to_tensor(of[i].im)};
  }
};

/// sum += M v of eight columns. @param value row lane%4 of them
template <int R>
__device__ __forceinline__ void add_step(const uint4* __restrict__ fragments, const Entry& entry,
                                         const complex<float> (*value)[stride],
                                         float (&sum)[num_targets][R][4]) {
  const int lane = threadIdx.x % 32;
  const bool imaginary = lane / 4 % 2 == 1;
  Fragment f[R];
#pragma unroll
  for (int r = 0; r < R; ++r) f[r].bits = fragments[r * 32];
  float re[R][4], im[R][4];
#pragma unroll
  for (int r = 0; r < R; ++r)
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const float2 m = __half22float2(f[r].entry[e]);
      re[r][e] = m.x, im[r][e] = m.y;
    }
#pragma unroll
  for (int t = 0; t < num_targets; ++t) {
    if (entry.grid[t] == no_box) continue;
    const complex<float> x = value[0][t * most_vectors + lane / 8], y = value[4][t * most_vectors + lane / 8];
    const float by_re[2] = {imaginary ? x.im : x.re, imaginary ? y.im : y.re};
    const float by_im[2] = {imaginary ? x.re : -x.im, imaginary ? y.re : -y.im};
#pragma unroll
    for (int r = 0; r < R; ++r) cuda::multiply_by_tensor(sum[t][r], re[r], by_re);
#pragma unroll
    for (int r = 0; r < R; ++r) cuda::multiply_by_tensor(sum[t][r], im[r], by_im);
  }
}

/// 16 R rows a warp of the groups of one level.
template <int R>
__global__ __launch_bounds__(block_size) void translate_single_tensor(View<float> view, const Group* groups,
                                                                      const Index* members,
                                                                      const uint4* __restrict__ fragments) {
  __shared__ Shared of_warps[warps];
  constexpr int parts = group_boxes / (warps * num_targets);
  const Group group = groups[blockIdx.x / parts];
  const int rank = view.levels[group.level].rank, tiles = tiles_of(rank), steps = steps_of(rank);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32,
            number = (int(blockIdx.x) % parts * warps + warp) * num_targets, tile = int(blockIdx.y) * R;
  if (number >= group.count) return;
  Index target[num_targets];
#pragma unroll
  for (int t = 0; t < num_targets; ++t)
    target[t] = number + t < group.count ? members[group.first + number + t] : no_box;
  Shared& shared = of_warps[warp];
  const int count = list_entries(view, group, target, shared);

  float sum[num_targets][R][4] = {};
  Values next;
  if (count > 0) next.load(view, shared.entry[0], lane, rank);
  for (int e = 0; e < count; ++e) {
    const Entry entry = shared.entry[e];
    for (int k0 = 0; k0 < rank; k0 += depth) {
      __syncwarp();
      next.store(shared.value[lane]);
      __syncwarp();
      const bool same = k0 + depth < rank;
      if (same || e + 1 < count)
        next.load(view, shared.entry[same ? e : e + 1], (same ? k0 + depth : 0) + lane, rank);
      const uint4* at = fragments + (Offset(entry.place) * steps + k0 / 8) * tiles * 32 + tile * 32 + lane;
      const int here = min(depth / 8, steps - k0 / 8);
#pragma unroll 1
      for (int s = 0; s < here; ++s, at += tiles * 32)
        add_step<R>(at, entry, shared.value + 8 * s + lane % 4, sum);
    }
  }
  const float scale = float(1u << group.level);  // that make_fragments took
  const int row = 16 * tile + lane / 4;
#pragma unroll
  for (int t = 0; t < num_targets; ++t) {
    if (target[t] == no_box) continue;
    complex<float>* to =
        view.incoming + lane % 4 * view.grid_values + Offset(view.boxes[target[t]].grid) * view.rows;
#pragma unroll
    for (int r = 0; r < R; ++r) {
      const int upper = row + 16 * r, lower = upper + 8;
      if (upper < rank) to[upper] += scale * complex<float>(sum[t][r][0], sum[t][r][1]);
      if (lower < rank) to[lower] += scale * complex<float>(sum[t][r][2], sum[t][r][3]);
    }
  }
}

/// Tiles of a warp: as even as can be.
int tiles_of_warp(int tiles) {
  const int row_blocks = (tiles + most_tiles - 1) / most_tiles;
  return (tiles + row_blocks - 1) / row_blocks;
}

}  // namespace

bool can_translate_by_single_tensor() {
  return cuda::is_compiled_for(80, translate_single_tensor<1>);
}

TensorMatrices make_tensor_matrices(const GridMatrices<float>& matrices, const std::vector<int>& ranks) {
  TensorMatrices all(ranks.size());
  for (std::size_t l = 0; l < ranks.size(); ++l) {
    if (ranks[l] == 0) continue;
    // The last warp of a level reads as many tiles as the others.
    const int spare = tiles_of_warp(tiles_of(ranks[l])) * 32;
    const std::size_t count = std::size_t(num_offsets) * steps_of(ranks[l]) * tiles_of(ranks[l]) * 32;
    require_device_memory((count + spare) * sizeof(uint4), "NGIM: the translation matrices of tensor cores");
    all[l] = cuda::Buffer<uint4>(count + spare);
    CURLEW_CUDA_CALL(cudaMemset(all[l].data() + count, 0, spare * sizeof(uint4)));
    make_fragments<<<num_offsets, 256>>>(matrices.levels.data(), int(l), matrices.rows, 1 / float(1u << l),
                                         all[l].data());
    CURLEW_CHECK_LAUNCH("make_fragments");
  }
  return all;
}

void launch_translate_single_tensor(const Evaluation<float>& e, const TensorMatrices& matrices,
                                    const std::vector<Group>& groups, const Group* device_groups,
                                    const Index* members, const std::vector<int>& ranks,
                                    cudaStream_t stream) {
  constexpr unsigned parts = group_boxes / (warps * num_targets);
  for (auto begin = groups.begin(); begin != groups.end();) {
    const auto end =
        std::find_if(begin, groups.end(), [&](const Group& g) { return g.level != begin->level; });
    const auto level = std::size_t(begin->level);
    const int tiles = tiles_of(ranks[level]), of_warp = tiles_of_warp(tiles);
    const dim3 grid(unsigned(end - begin) * parts, unsigned((tiles + of_warp - 1) / of_warp));
    dispatch_number<1, 2, 3, 4, 5, 6, 7, 8>(of_warp, [&](auto number) {
      translate_single_tensor<decltype(number)::value><<<grid, block_size, 0, stream>>>(
          e.view, device_groups + (begin - groups.begin()), members, matrices[level].data());
    });
    CURLEW_CHECK_LAUNCH("translate_single_tensor");
    begin = end;
  }
}

}  // namespace curlew::ngim::device
