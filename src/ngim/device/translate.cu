// SPDX-License-Identifier: BSD-3-Clause
// Stage 3, first part: skeletons of the interaction lists to skeletons, one matrix per offset.

#include "base/cuda.hpp"
#include "ngim/device/offsets.cuh"
#include "ngim/device/stages.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int block_size = 256;
constexpr int depth = 32;  // columns of a translation matrix in shared memory at a time

/// One block per group of 128 targets, tile of 8 R rows and charge vector: for every offset a tile of the
/// matrix and the sources' values are read into shared memory; each thread holds R rows of 4 targets in
/// registers. A level has as many tiles as its rank needs, and the last one may end beyond the padded rows.
template <int R, class T>
__global__ __launch_bounds__(block_size) void translate(View<T> view, const Group* groups,
                                                        const Index* members) {
  constexpr int rows_here = 8 * R, columns = sizeof(T) == 4 ? 4 : 2, width = 32 * columns;
  extern __shared__ unsigned char memory[];
  complex<T>* matrix = reinterpret_cast<complex<T>*>(memory);  // [depth][rows_here]
  complex<T>* values = matrix + depth * rows_here;             // [depth][width]
  __shared__ Index source_grid[group_boxes];
  const Group group = groups[blockIdx.x];
  const LevelMatrices<T> level = view.levels[group.level];
  const complex<T>* outgoing = view.outgoing + blockIdx.z * view.grid_values;
  const int lane = threadIdx.x % 32, strip = threadIdx.x / 32, row0 = blockIdx.y * rows_here;
  if (row0 >= level.rank) return;
  for (int part = 0; part < group.count; part += width) {
    complex<T> sum[R][columns];
    for (int o = 0; o < num_octant_offsets; ++o) {
      int offset = 0;
      if (!octant_offset(o, group.octant, offset)) continue;
      const complex<T>* offset_matrix = level.translate + Offset(offset) * level.rank * view.rows;
      int mine = 0;
      if (int(threadIdx.x) < width) {
        const int number = part + int(threadIdx.x);
        source_grid[threadIdx.x] =
            number < group.count ? source_at(view, members[group.first + number], o) : no_box;
        mine = source_grid[threadIdx.x] != no_box;
      }
      if (__syncthreads_or(mine) == 0) continue;
      for (int k0 = 0; k0 < level.rank; k0 += depth) {
        const int steps = min(depth, level.rank - k0);
        for (int i = threadIdx.x; i < steps * rows_here; i += block_size) {
          const int row = row0 + i % rows_here;
          matrix[i] =
              row < view.rows ? offset_matrix[Offset(k0 + i / rows_here) * view.rows + row] : complex<T>{};
        }
        for (int i = threadIdx.x; i < width * depth; i += block_size) {
          const int k = i % depth, column = i / depth;
          const Index grid = source_grid[column];
          values[k * width + (column ^ k % 32)] =
              grid != no_box && k < steps ? outgoing[Offset(grid) * view.rows + k0 + k] : complex<T>{};
        }
        __syncthreads();
        for (int k = 0; k < steps; ++k) {
          complex<T> v[columns];
          for (int c = 0; c < columns; ++c) v[c] = values[k * width + ((lane + 32 * c) ^ k % 32)];
          for (int r = 0; r < R; ++r) {
            const complex<T> m = matrix[k * rows_here + strip * R + r];
            for (int c = 0; c < columns; ++c) add_product(sum[r][c], m, v[c]);
          }
        }
        __syncthreads();
      }
    }
    for (int c = 0; c < columns; ++c) {
      if (part + lane + 32 * c >= group.count) continue;
      const Index grid = view.boxes[members[group.first + part + lane + 32 * c]].grid;
      complex<T>* incoming =
          view.incoming + blockIdx.z * view.grid_values + Offset(grid) * view.rows + row0 + strip * R;
      for (int r = 0; r < R; ++r)
        if (row0 + strip * R + r < view.rows) incoming[r] += sum[r][c];
    }
  }
}

template <int R, class T>
void launch(const Evaluation<T>& e, const Group* groups, Offset num_groups, const Index* members,
            cudaStream_t stream) {
  constexpr int width = 32 * (sizeof(T) == 4 ? 4 : 2);
  const std::size_t bytes = std::size_t(depth) * (8 * R + width) * sizeof(complex<T>);
  if (bytes > 40 * 1024)
    CURLEW_CUDA_CALL(
        cudaFuncSetAttribute(translate<R, T>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
  const dim3 grid(unsigned(num_groups), cuda::blocks_for(e.view.rows, 8 * R), e.num_vectors);
  translate<R, T><<<grid, block_size, bytes, stream>>>(e.view, groups, members);
  CURLEW_CHECK_LAUNCH("translate");
}

}  // namespace

template <class T>
void launch_translate(const Evaluation<T>& e, const Group* groups, Offset num_groups, const Index* members,
                      int row_tile, cudaStream_t stream) {
  if (num_groups == 0) return;
  if (row_tile == 3) return launch<3, T>(e, groups, num_groups, members, stream);
  if (row_tile == 4) return launch<4, T>(e, groups, num_groups, members, stream);
  if (row_tile == 5) return launch<5, T>(e, groups, num_groups, members, stream);
  if (row_tile == 6) return launch<6, T>(e, groups, num_groups, members, stream);
  if (row_tile == 7) return launch<7, T>(e, groups, num_groups, members, stream);
  launch<8, T>(e, groups, num_groups, members, stream);
}

template void launch_translate(const Evaluation<float>&, const Group*, Offset, const Index*, int,
                               cudaStream_t);
template void launch_translate(const Evaluation<double>&, const Group*, Offset, const Index*, int,
                               cudaStream_t);

}  // namespace curlew::ngim::device
