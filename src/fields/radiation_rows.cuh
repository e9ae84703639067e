// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sources as the all-pairs kernels read them: one row each, in the order of the kernel, tile after tile. The
// rows are arranged once a pass, so that a kernel fetches tiles by asynchronous copies of 16 bytes, each
// while it works on the one before; gathered by the kernel itself they took it a fifth to a third of its
// time. Room-internal.
//
// A Layout has columns, size (values of a row, even), position (place of x, y, z in the row) and
// place(column, value) of the values of a right-hand side, 0 .. values_per_column - 1.

#include <cuda_pipeline.h>

#include "base/cuda.hpp"
#include "fields/radiation_pair.cuh"

namespace curlew::fields {

/// @param rows [num_rows, Layout::size]; rows past the last source and columns past the last right-hand side
///   get zeros
template <class Layout>
__global__ void arrange(RadiationCurrents in, Offset num_rows, double* rows) {
  const Offset source = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  const int entry = int(blockIdx.y) - 3, column = entry / values_per_column,
            value = entry % values_per_column;
  if (source >= num_rows) return;
  const Offset block = source / source_lanes, lane = source % source_lanes;
  const bool is_position = entry < 0;
  double x = 0;
  if (block < in.num_blocks && is_position)
    x = in.positions[(block * 3 + entry + 3) * source_lanes + lane];
  else if (block < in.num_blocks && in.first + column < in.count)
    x = in.currents[((block * in.count + in.first + column) * values_per_column + value) * source_lanes +
                    lane];
  rows[source * Layout::size + (is_position ? Layout::position + entry + 3 : Layout::place(column, value))] =
      x;
}

template <class Layout>
void launch_arrange(const RadiationCurrents& in, Offset num_rows, double* rows) {
  constexpr unsigned threads = 128, entries = 3 + values_per_column * Layout::columns;
  arrange<Layout>
      <<<dim3(unsigned((num_rows + threads - 1) / threads), entries), threads>>>(in, num_rows, rows);
  CURLEW_CHECK_LAUNCH("arrange");
}

/// Shared memory of a block: the phases and two tiles.
template <class Layout, int Tile>
constexpr int shared_bytes = int(sizeof(double)) * 2 * (phase_places + Tile * Layout::size);

/// Calls use(rows of a tile) for every tile of this block's share.
/// @param shared shared_bytes<Layout, Tile>, 16-byte aligned; the phases come first
template <class Layout, int Tile, int Threads, class Use>
__device__ void for_each_tile(const RadiationJob& job, double* shared, const Use& use) {
  constexpr int size = Tile * Layout::size;
  auto* phases = reinterpret_cast<double2*>(shared);
  for (int i = int(threadIdx.x); i < phase_places; i += Threads) phases[i] = job.phases[i];
  double* buffer = shared + 2 * phase_places;
  const int begin = int(blockIdx.y) * job.tiles_per_split;
  const int end = min(begin + job.tiles_per_split, job.num_tiles);
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
    __syncthreads();  // the tile is there, and nobody reads the one before any more
    if (tile + 1 < end) fetch(tile + 1);
    use(buffer + (tile - begin) % 2 * size);
  }
}

}  // namespace curlew::fields
