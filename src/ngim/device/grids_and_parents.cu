// SPDX-License-Identifier: BSD-3-Clause
// Skeletons of children to those of their parents (stage 2) and back (second part of stage 3).

#include "base/cuda.hpp"
#include "ngim/device/currents.cuh"
#include "ngim/device/stages.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int block_size = 64, depth = 32;  // columns of a matrix whose values are in shared memory

/// sum += row of a matrix by C vectors of values. All threads of the block call this, each with its row.
/// @param matrix the row's place in the first column, columns `rows` apart
/// @param values of the first vector, vectors `stride` apart
template <int C, class T>
__device__ void add_row(const complex<T>* __restrict__ matrix, int rows, const complex<T>* values,
                        Offset stride, int columns, complex<T> (&sum)[C]) {
  __shared__ complex<T> shared[depth][C];
  for (int k0 = 0; k0 < columns; k0 += depth) {
    const int here = min(depth, columns - k0);
    __syncthreads();
    for (int i = threadIdx.x; i < C * depth; i += block_size)
      if (i % depth < here) shared[i % depth][i / depth] = values[i / depth * stride + k0 + i % depth];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < here; ++k) {
      const complex<T> m = matrix[Offset(k0 + k) * rows];
#pragma unroll
      for (int c = 0; c < C; ++c) add_product(sum[c], m, shared[k][c]);
    }
  }
}

/// One block per box of the level, tile of rows and C vectors, which share the matrices.
template <int C, class T>
__global__ __launch_bounds__(block_size) void grids_to_parents(View<T> view, Index first) {
  const Index b = first + Index(blockIdx.x);
  const DeviceBox box = view.boxes[b];
  if (box.is_leaf || box.num_sources == 0) return;
  const int mine = int(blockIdx.y * block_size + threadIdx.x), row = min(mine, view.rows - 1);
  complex<T>* outgoing = view.outgoing;
  const LevelMatrices<T> below = view.levels[box.level + 1];
  complex<T> sum[C] = {};
  for (int octant = 0; octant < 8; ++octant) {
    const Index child = view.children[Offset(b) * 8 + octant];
    if (child == no_box || view.boxes[child].num_sources == 0) continue;
    add_row<C, T>(below.to_parent + Offset(octant) * below.rank * view.rows + row, view.rows,
                  outgoing + Offset(view.boxes[child].grid) * view.rows, view.grid_values, below.rank, sum);
  }
  if (mine >= view.rows) return;
  for (int c = 0; c < C; ++c) outgoing[c * view.grid_values + Offset(box.grid) * view.rows + row] += sum[c];
}

/// As skeletons of children to those of parents.
template <int C, class T>
__global__ __launch_bounds__(block_size) void grids_from_parents(View<T> view, Index first) {
  const DeviceBox box = view.boxes[first + Index(blockIdx.x)];
  if (box.num_targets == 0) return;
  const int mine = int(blockIdx.y * block_size + threadIdx.x), row = min(mine, view.rows - 1);
  complex<T>* incoming = view.incoming;
  const LevelMatrices<T> level = view.levels[box.level];
  complex<T> sum[C] = {};
  add_row<C, T>(level.from_parent + Offset(box.octant) * level.parent_rank * view.rows + row, view.rows,
                incoming + Offset(view.boxes[box.parent].grid) * view.rows, view.grid_values,
                level.parent_rank, sum);
  if (mine >= view.rows) return;
  for (int c = 0; c < C; ++c) incoming[c * view.grid_values + Offset(box.grid) * view.rows + row] += sum[c];
}

}  // namespace

template <class T>
void launch_grids_to_parents(const Evaluation<T>& e, Index first, Index count, cudaStream_t stream) {
  if (count == 0) return;
  dispatch_vectors(e.num_vectors, [&](auto vectors) {
    constexpr int C = decltype(vectors)::value;
    const dim3 grid(unsigned(count), cuda::blocks_for(e.view.rows, block_size));
    grids_to_parents<C, T><<<grid, block_size, 0, stream>>>(e.view, first);
  });
  CURLEW_CHECK_LAUNCH("grids_to_parents");
}

template <class T>
void launch_grids_from_parents(const Evaluation<T>& e, Index first, Index count, cudaStream_t stream) {
  if (count == 0) return;
  dispatch_vectors(e.num_vectors, [&](auto vectors) {
    constexpr int C = decltype(vectors)::value;
    const dim3 grid(unsigned(count), cuda::blocks_for(e.view.rows, block_size));
    grids_from_parents<C, T><<<grid, block_size, 0, stream>>>(e.view, first);
  });
  CURLEW_CHECK_LAUNCH("grids_from_parents");
}

#define CURLEW_INSTANTIATE(T)                                                              \
  template void launch_grids_to_parents(const Evaluation<T>&, Index, Index, cudaStream_t); \
  template void launch_grids_from_parents(const Evaluation<T>&, Index, Index, cudaStream_t);
CURLEW_INSTANTIATE(float)
CURLEW_INSTANTIATE(double)

}  // namespace curlew::ngim::device
