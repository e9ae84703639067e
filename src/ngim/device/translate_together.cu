// SPDX-License-Identifier: BSD-3-Clause
// Stage 3, first part, of V vectors together: from skeletons of the interaction lists to a box's skeleton.

#include <algorithm>
#include <array>

#include "base/cuda.hpp"
#include "ngim/current_moments.hpp"
#include "ngim/device/offsets.cuh"
#include "ngim/device/stages.cuh"
#include "ngim/tree.hpp"

namespace curlew::ngim::device {
namespace {

constexpr int warps = 4, block_size = 32 * warps;  // a target box and tile of rows per warp
constexpr int depth = 32;                          // values of a source in shared memory at a time
template <class T>
constexpr int most_tile = sizeof(T) == 4 ? 5 : 3;  // rows of a thread: its sums fill half of the registers
constexpr int enough_warps = 2000;

/// Rows of a thread, by level.
using Tiles = std::array<unsigned char, max_level + 1>;

int num_tiles(int rank, int tile) {
  return (rank + 32 * tile - 1) / (32 * tile);
}

/// The cheapest: 4 V multiply-adds per row and about as many instructions for loads and counters per column.
/// Small where a level has too few boxes to fill the device.
template <int V, class T>
int choose_tile(int rank, Offset boxes) {
  const auto cost = [&](int r) { return num_tiles(rank, r) * 4 * V * (r + 1); };
  int best = 1;
  for (int r = 2; r <= most_tile<T>; ++r)
    if (cost(r) <= cost(best) && boxes * num_tiles(rank, r) >= enough_warps) best = r;
  return best;
}

/// sum += M v of one source: each lane holds R rows, all lanes share the values.
template <int R, int V, class T>
__device__ __forceinline__ void add_source(const View<T>& view, const complex<T>* __restrict__ matrix,
                                           const complex<T>* __restrict__ outgoing, int rank,
                                           const int (&row)[R], complex<T> (*values)[V],
                                           complex<T> (&sum)[R][V]) {
  const int lane = threadIdx.x % 32;
  for (int k0 = 0; k0 < rank; k0 += depth) {
    const int steps = min(depth, rank - k0);
    __syncwarp();
    for (int c = 0; c < V; ++c)
      if (lane < steps) values[lane][c] = outgoing[c * view.grid_values + k0 + lane];
    __syncwarp();
    const complex<T>* column = matrix + Offset(k0) * view.rows;
#pragma unroll 4
    for (int k = 0; k < steps; ++k, column += view.rows) {
      complex<T> m[R];
#pragma unroll
      for (int r = 0; r < R; ++r) m[r] = column[row[r]];
#pragma unroll
      for (int c = 0; c < V; ++c) {
        const complex<T> v = values[k][c];
#pragma unroll
        for (int r = 0; r < R; ++r) add_product(sum[r][c], m[r], v);
      }
    }
  }
}

/// 32 R rows of a target from all its sources.
template <int R, int V, class T>
__device__ void translate_rows(const View<T>& view, const LevelMatrices<T>& level, int octant, Index target,
                               int row0, complex<T> (*values)[V]) {
  const int lane = threadIdx.x % 32;
  int row[R];
  for (int r = 0; r < R; ++r) row[r] = min(row0 + 32 * r + lane, level.rank - 1);
  complex<T> sum[R][V] = {};
  for (int first = 0; first < num_octant_offsets; first += 32) {
    const int o = first + lane;
    int offset = 0;
    Index source = no_box;
    if (o < num_octant_offsets && octant_offset(o, octant, offset)) source = source_at(view, target, o);
    for (unsigned left = __ballot_sync(~0u, source != no_box); left != 0; left &= left - 1) {
      const int from = __ffs(int(left)) - 1;
      const Index grid = __shfl_sync(~0u, source, from), place = __shfl_sync(~0u, offset, from);
      add_source<R, V, T>(view, level.translate + Offset(place) * level.rank * view.rows,
                          view.outgoing + Offset(grid) * view.rows, level.rank, row, values, sum);
    }
  }
  complex<T>* incoming = view.incoming + Offset(view.boxes[target].grid) * view.rows;
  for (int r = 0; r < R; ++r) {
    if (row0 + 32 * r + lane >= level.rank) return;
    for (int c = 0; c < V; ++c) incoming[c * view.grid_values + row[r]] += sum[r][c];
  }
}

/// A warp holds a tile of rows of one target's V vectors in registers and goes through the target's
/// sources; on a surface three of four offsets have none. Warps of a block are neighbours of one octant, so
/// that most of their matrices are in the L1 cache.
template <int V, class T>
__global__ __launch_bounds__(block_size) void translate_together(View<T> view, const Group* groups,
                                                                 const Index* members, Tiles tiles) {
  __shared__ complex<T> values[warps][depth][V];
  constexpr int parts = group_boxes / warps;
  const Group group = groups[blockIdx.x / parts];
  const LevelMatrices<T>& level = view.levels[group.level];
  const int tile = tiles[group.level], row0 = blockIdx.y * 32 * tile, warp = threadIdx.x / 32,
            number = blockIdx.x % parts * warps + warp;
  if (number >= group.count || row0 >= level.rank) return;
  const Index target = members[group.first + number];
  if (tile == 1) return translate_rows<1, V, T>(view, level, group.octant, target, row0, values[warp]);
  if (tile == 2) return translate_rows<2, V, T>(view, level, group.octant, target, row0, values[warp]);
  if constexpr (most_tile < T >> 3) {
    if (tile == 4) return translate_rows<4, V, T>(view, level, group.octant, target, row0, values[warp]);
    if (tile == 5) return translate_rows<5, V, T>(view, level, group.octant, target, row0, values[warp]);
  }
  translate_rows<3, V, T>(view, level, group.octant, target, row0, values[warp]);
}

}  // namespace

template <class T>
void launch_translate_together(const Evaluation<T>& e, const std::vector<Group>& groups,
                               const Group* device_groups, const Index* members,
                               const std::vector<int>& ranks, cudaStream_t stream) {
  if (groups.empty()) return;
  std::array<Offset, max_level + 1> boxes{};
  for (const Group& group : groups) boxes[std::size_t(group.level)] += group.count;
  Tiles tiles{};
  int most_tiles = 1;
  for (std::size_t l = 0; l < ranks.size(); ++l) {
    if (ranks[l] == 0) continue;
    const int tile = e.num_vectors == current_vectors ? choose_tile<current_vectors, T>(ranks[l], boxes[l])
                                                      : choose_tile<most_vectors, T>(ranks[l], boxes[l]);
    tiles[l] = static_cast<unsigned char>(tile);
    most_tiles = std::max(most_tiles, num_tiles(ranks[l], tile));
  }
  const dim3 grid(unsigned(groups.size() * (group_boxes / warps)), unsigned(most_tiles));
  if (e.num_vectors == current_vectors)
    translate_together<current_vectors, T>
        <<<grid, block_size, 0, stream>>>(e.view, device_groups, members, tiles);
  else
    translate_together<most_vectors, T>
        <<<grid, block_size, 0, stream>>>(e.view, device_groups, members, tiles);
  CURLEW_CHECK_LAUNCH("translate_together");
}

#define CURLEW_INSTANTIATE(T)                                                                            \
  template void launch_translate_together(const Evaluation<T>&, const std::vector<Group>&, const Group*, \
                                          const Index*, const std::vector<int>&, cudaStream_t);
CURLEW_INSTANTIATE(float)
CURLEW_INSTANTIATE(double)

}  // namespace curlew::ngim::device
