// SPDX-License-Identifier: BSD-3-Clause
// Skeletons of children to those of their parents (stage 2) and back (second part of stage 3).

#include "base/cuda.hpp"
#include "ngim/device/stages.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int block_size = 64;

/// One block per box of the level and charge vector.
template <class T>
__global__ __launch_bounds__(block_size) void grids_to_parents(View<T> view, Index first) {
  extern __shared__ unsigned char memory[];
  complex<T>* child_values = reinterpret_cast<complex<T>*>(memory);
  const Index b = first + Index(blockIdx.x);
  const DeviceBox box = view.boxes[b];
  if (box.is_leaf || box.num_sources == 0) return;
  complex<T>* outgoing = view.outgoing + blockIdx.y * view.grid_values;
  const LevelMatrices<T> below = view.levels[box.level + 1];
  for (int octant = 0; octant < 8; ++octant) {
    const Index child = view.children[Offset(b) * 8 + octant];
    if (child == no_box || view.boxes[child].num_sources == 0) continue;
    __syncthreads();
    for (int i = threadIdx.x; i < below.rank; i += blockDim.x)
      child_values[i] = outgoing[Offset(view.boxes[child].grid) * view.rows + i];
    __syncthreads();
    const complex<T>* matrix = below.to_parent + Offset(octant) * below.rank * view.rows;
    for (int r = threadIdx.x; r < view.rows; r += blockDim.x) {
      complex<T> sum = outgoing[Offset(box.grid) * view.rows + r];
      for (int i = 0; i < below.rank; ++i)
        add_product(sum, matrix[Offset(i) * view.rows + r], child_values[i]);
      outgoing[Offset(box.grid) * view.rows + r] = sum;
    }
  }
}

/// One block per box of the level and charge vector.
template <class T>
__global__ __launch_bounds__(block_size) void grids_from_parents(View<T> view, Index first) {
  extern __shared__ unsigned char memory[];
  complex<T>* parent_values = reinterpret_cast<complex<T>*>(memory);
  const DeviceBox box = view.boxes[first + Index(blockIdx.x)];
  if (box.num_targets == 0) return;
  complex<T>* incoming = view.incoming + blockIdx.y * view.grid_values;
  const LevelMatrices<T> level = view.levels[box.level];
  const Index parent = view.boxes[box.parent].grid;
  for (int i = threadIdx.x; i < level.parent_rank; i += blockDim.x)
    parent_values[i] = incoming[Offset(parent) * view.rows + i];
  __syncthreads();
  const complex<T>* matrix = level.from_parent + Offset(box.octant) * level.parent_rank * view.rows;
  for (int r = threadIdx.x; r < view.rows; r += blockDim.x) {
    complex<T> sum = incoming[Offset(box.grid) * view.rows + r];
    for (int i = 0; i < level.parent_rank; ++i)
      add_product(sum, matrix[Offset(i) * view.rows + r], parent_values[i]);
    incoming[Offset(box.grid) * view.rows + r] = sum;
  }
}

}  // namespace

template <class T>
void launch_grids_to_parents(const Evaluation<T>& e, Index first, Index count, cudaStream_t stream) {
  if (count == 0) return;
  grids_to_parents<T><<<dim3(unsigned(count), e.num_vectors), block_size,
                        std::size_t(e.view.rows) * sizeof(complex<T>), stream>>>(e.view, first);
  CURLEW_CHECK_LAUNCH("grids_to_parents");
}

template <class T>
void launch_grids_from_parents(const Evaluation<T>& e, Index first, Index count, cudaStream_t stream) {
  if (count == 0) return;
  grids_from_parents<T><<<dim3(unsigned(count), e.num_vectors), block_size,
                          std::size_t(e.view.rows) * sizeof(complex<T>), stream>>>(e.view, first);
  CURLEW_CHECK_LAUNCH("grids_from_parents");
}

#define CURLEW_INSTANTIATE(T)                                                              \
  template void launch_grids_to_parents(const Evaluation<T>&, Index, Index, cudaStream_t); \
  template void launch_grids_from_parents(const Evaluation<T>&, Index, Index, cudaStream_t);
CURLEW_INSTANTIATE(float)
CURLEW_INSTANTIATE(double)

}  // namespace curlew::ngim::device
