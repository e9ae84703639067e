// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sources as the all-pairs kernels read them: one row each, in the order of the kernel, tile after tile. The
// rows are arranged once per pass, so that a kernel loads the next tile by asynchronous copies of 16 bytes
// while it works on one; when the kernel gathered them itself, that took 20 to 33 % of its time.
// For this module only.
//
// A Layout has columns, size (doubles of a row, even), position (place of x, y, z in the row), put(row,
// column, value, x) for the values of a right-hand side, 0 .. values_per_column - 1, and the Number that
// pairs are made in.

#include <cuda_pipeline.h>

#include "base/cuda.hpp"
#include "base/cuda_grid.hpp"
#include "fields/radiation_pair.cuh"

namespace curlew::fields {

/// @param rows [num_rows, Layout::size]; rows past the last source and columns past the last right-hand side
///   get zeros
template <class Layout>
__global__ void arrange(RadiationCurrents in, Offset num_rows, double* rows) {
  const Offset source = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (source >= num_rows) return;
  const Offset block = source / source_lanes, lane = source % source_lanes;
  const bool is_there = block < in.num_blocks;
  double* row = rows + source * Layout::size;
  const int entry = int(blockIdx.y) - 1, column = entry / components, component = entry % components;
  if (entry < 0) {
    for (int x = 0; x < 3; ++x)
      row[Layout::position + x] = is_there ? in.k * in.positions[(block * 3 + x) * source_lanes + lane] : 0;
  } else if (is_there && in.first + column < in.count) {
    const double* from =
        in.currents +
        ((block * in.count + in.first + column) * values_per_column + 2 * component) * source_lanes + lane;
    Layout::put(row, column, component, from[0], from[source_lanes]);
  } else {
    Layout::put(row, column, component, 0, 0);
  }
}

template <class Layout>
void launch_arrange(const RadiationCurrents& in, Offset num_rows, double* rows, cudaStream_t stream) {
  constexpr unsigned threads = 128, entries = 1 + components * Layout::columns;
  arrange<Layout>
      <<<dim3(cuda::blocks_for(num_rows, threads), entries), threads, 0, stream>>>(in, num_rows, rows);
  CURLEW_CHECK_LAUNCH("arrange");
}

/// Shared memory of a block: the phases and two tiles.
template <class Layout, int Tile>
constexpr int shared_bytes = int(sizeof(double)) * 2 * (phase_places + Tile * Layout::size);

/// Calls use(rows of a tile, their number) for every tile of this block's share.
/// @param shared shared_bytes<Layout, Tile>, 16-byte aligned; the phases come first
template <class Layout, int Tile, int Threads, class Use>
__device__ void for_each_tile(const RadiationJob& job, double* shared, const Use& use) {
  constexpr int size = Tile * Layout::size;
  using T = typename Layout::Number;
  auto* phases = reinterpret_cast<Phase<T>*>(shared);
  for (int i = int(threadIdx.x); i < phase_places; i += Threads)
    phases[i] = {T(job.phases[i].cos), T(job.phases[i].sin)};
  double* buffer = shared + 2 * phase_places;
  const int num_tiles = (job.num_rows + Tile - 1) / Tile;
  const int begin = num_tiles * int(blockIdx.y) / int(gridDim.y);
  const int end = num_tiles * int(blockIdx.y + 1) / int(gridDim.y);
  const auto fetch = [&](int tile) {
    const double* from = job.rows + Offset(tile) * size;
    double* to = buffer + (tile - begin) % 2 * size;
#pragma unroll 1
    for (int i = 2 * int(threadIdx.x); i < size; i += 2 * Threads)
      __pipeline_memcpy_async(to + i, from + i, 2 * sizeof(double));
    __pipeline_commit();
  };
  fetch(begin);
  for (int tile = begin; tile < end; ++tile) {
    __pipeline_wait_prior(0);
    __syncthreads();  // the tile is loaded, and the previous one is no longer read
    if (tile + 1 < end) fetch(tile + 1);
    use(buffer + (tile - begin) % 2 * size, min(Tile, job.num_rows - tile * Tile));
  }
}

/// A kernel with its launch configuration. @tparam Blocks of a multiprocessor @param observers of a block
template <class Layout, int Tile, int Threads, int Blocks, void (*Kernel)(RadiationJob)>
RadiationKernel launched_with(int observers) {
  return {
      Layout::columns,
      observers,
      Blocks,
      Tile,
      Layout::size,
      launch_arrange<Layout>,
      [](const RadiationJob& job, unsigned observer_blocks, unsigned splits, cudaStream_t stream) {
        constexpr int bytes = shared_bytes<Layout, Tile>;
        CURLEW_CUDA_CALL(cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
        Kernel<<<dim3(observer_blocks, splits), Threads, bytes, stream>>>(job);
        CURLEW_CHECK_LAUNCH("all_pairs");
      }};
}

}  // namespace curlew::fields
