// SPDX-License-Identifier: BSD-3-Clause
// Stage 3, first part, of six vectors together: skeletons of the interaction lists to skeletons.

#include "base/cuda.hpp"
#include "ngim/current_moments.hpp"
#include "ngim/device/offsets.cuh"
#include "ngim/device/stages.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int num_vectors = current_vectors;
constexpr int warps = 8, block_size = 32 * warps;  // a target box per warp
constexpr int depth = 16;                          // columns of a matrix in shared memory at a time
constexpr int least_tile = 2, most_tile = 5;       // rows of a thread

/// Rows of a thread for a level's rank: least padding, then the most rows.
__host__ __device__ inline int row_tile(int rank) {
  int best = least_tile;
  const auto padded = [&](int r) { return (rank + 32 * r - 1) / (32 * r) * 32 * r; };
  for (int r = least_tile + 1; r <= most_tile; ++r)
    if (padded(r) <= padded(best)) best = r;
  return best;
}

template <class T>
struct alignas(16) Shared {
  complex<T> matrix[depth][32 * most_tile];
  complex<T> values[warps][depth][num_vectors];
  Index source[warps][num_octant_offsets];
  unsigned char is_met[num_octant_offsets];  ///< by some target of the block
};

/// sum += M v for the columns [k0, k0 + steps) of the matrix in shared memory.
template <int R, class T>
__device__ __forceinline__ void multiply(const Shared<T>& shared, int warp, int lane, int steps,
                                         complex<T> (&sum)[R][num_vectors]) {
#pragma unroll 4
  for (int k = 0; k < steps; ++k) {
    complex<T> v[num_vectors];
#pragma unroll
    for (int c = 0; c < num_vectors; ++c) v[c] = shared.values[warp][k][c];
#pragma unroll
    for (int r = 0; r < R; ++r) {
      const complex<T> m = shared.matrix[k][32 * r + lane];
#pragma unroll
      for (int c = 0; c < num_vectors; ++c) add_product(sum[r][c], m, v[c]);
    }
  }
}

/// 32 R rows of the block's targets. A warp whose target has no source at an offset leaves the arithmetic to
/// the others: on a surface three of four offsets are empty.
template <int R, class T>
__device__ void translate_rows(const View<T>& view, const LevelMatrices<T>& level, int target_octant,
                               Index target, int row0, Shared<T>& shared) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  complex<T> sum[R][num_vectors] = {};
  for (int o = 0; o < num_octant_offsets; ++o) {
    if (!shared.is_met[o]) continue;
    int offset = 0;
    octant_offset(o, target_octant, offset);
    const complex<T>* matrix = level.translate + Offset(offset) * level.rank * view.rows;
    const Index source = shared.source[warp][o];
    for (int k0 = 0; k0 < level.rank; k0 += depth) {
      const int steps = min(depth, level.rank - k0);
      __syncthreads();
      for (int i = threadIdx.x; i < steps * 32 * R; i += block_size) {
        const int k = i / (32 * R), row = row0 + i % (32 * R);
        shared.matrix[k][i % (32 * R)] =
            row < level.rank ? matrix[Offset(k0 + k) * view.rows + row] : complex<T>{};
      }
      if (source != no_box)
        for (int i = lane; i < depth * num_vectors; i += 32) {
          const int k = i % depth, c = i / depth;
          if (k < steps)
            shared.values[warp][k][c] =
                view.outgoing[c * view.grid_values + Offset(source) * view.rows + k0 + k];
        }
      __syncthreads();
      if (source != no_box) multiply<R, T>(shared, warp, lane, steps, sum);
    }
  }
  if (target == no_box) return;
  complex<T>* incoming = view.incoming + Offset(view.boxes[target].grid) * view.rows;
  for (int r = 0; r < R; ++r) {
    const int row = row0 + 32 * r + lane;
    if (row >= level.rank) return;
    for (int c = 0; c < num_vectors; ++c) incoming[c * view.grid_values + row] += sum[r][c];
  }
}

/// One block per eight targets of a group and tile of rows: they share octant and matrices, a warp holds the
/// six vectors of one target in registers. Bound by the multiply-adds.
template <class T>
__global__ __launch_bounds__(block_size) void translate_together(View<T> view, const Group* groups,
                                                                 const Index* members) {
  extern __shared__ unsigned char memory[];
  Shared<T>& shared = *reinterpret_cast<Shared<T>*>(memory);
  constexpr int parts = group_boxes / warps;
  const Group group = groups[blockIdx.x / parts];
  const LevelMatrices<T>& level = view.levels[group.level];
  const int first = blockIdx.x % parts * warps, R = row_tile(level.rank), row0 = blockIdx.y * 32 * R;
  if (first >= group.count || row0 >= level.rank) return;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const Index target = first + warp < group.count ? members[group.first + first + warp] : no_box;
  int offset = 0;
  for (int o = lane; o < num_octant_offsets; o += 32)
    shared.source[warp][o] =
        target != no_box && octant_offset(o, group.octant, offset) ? source_at(view, target, o) : no_box;
  __syncthreads();
  for (int o = threadIdx.x; o < num_octant_offsets; o += block_size) {
    bool met = false;
    for (int w = 0; w < warps; ++w) met = met || shared.source[w][o] != no_box;
    shared.is_met[o] = met;
  }
  __syncthreads();
  if (R == 2) return translate_rows<2, T>(view, level, group.octant, target, row0, shared);
  if (R == 3) return translate_rows<3, T>(view, level, group.octant, target, row0, shared);
  if (R == 4) return translate_rows<4, T>(view, level, group.octant, target, row0, shared);
  translate_rows<5, T>(view, level, group.octant, target, row0, shared);
}

}  // namespace

template <class T>
void launch_translate_together(const Evaluation<T>& e, const Group* groups, Offset num_groups,
                               const Index* members, int most_rank, cudaStream_t stream) {
  if (num_groups == 0) return;
  constexpr int bytes = int(sizeof(Shared<T>));
  CURLEW_CUDA_CALL(
      cudaFuncSetAttribute(translate_together<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const dim3 grid(unsigned(num_groups * (group_boxes / warps)),
                  unsigned((most_rank + 32 * least_tile - 1) / (32 * least_tile)));
  translate_together<T><<<grid, block_size, bytes, stream>>>(e.view, groups, members);
  CURLEW_CHECK_LAUNCH("translate_together");
}

template void launch_translate_together(const Evaluation<float>&, const Group*, Offset, const Index*, int,
                                        cudaStream_t);
template void launch_translate_together(const Evaluation<double>&, const Group*, Offset, const Index*, int,
                                        cudaStream_t);

}  // namespace curlew::ngim::device
