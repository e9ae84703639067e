// SPDX-License-Identifier: BSD-3-Clause
// Stage 3, first part, of six vectors together in double precision on the tensor cores, which multiply twice
// as fast as vector instructions and read fewer registers for it. Needs compute capability 9.0.
//
// A block computes 16 rows per warp of six targets, neighbours of one octant, and goes through the offsets at
// which one of them has a source. Real parts of a translation matrix, and imaginary ones, are the 16 x 4
// operand A of mma.m16n8k4 as the lanes read it (row lane/4 and + 8, column lane%4); a lane's part of B (row
// lane%4, column lane/4) is of vector lane/8 + 4 n, real and imaginary parts in turn: two targets are three
// B's of eight columns. All warps have the same work, whichever targets have a source, and a matrix is read
// once for six targets.

#include <cuda_pipeline.h>

#include <algorithm>

#include "base/double_tensor.cuh"
#include "ngim/current_moments.hpp"
#include "ngim/device/offsets.cuh"
#include "ngim/device/stages.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int num_targets = 6, vectors = num_targets * current_vectors;
constexpr int tiles = vectors / 4;  // of eight columns
constexpr int most_warps = 6;       // of a block
constexpr int depth = 32;           // values of a vector in shared memory at a time ...
constexpr int stride = depth + 4;   // ... so far apart that half a warp reads from all banks
constexpr int stage_size = vectors * stride;
constexpr int shared_bytes = 2 * stage_size * int(sizeof(complex<double>));

/// The sources of a block's targets, by offset.
struct Sources {
  Index grid[num_octant_offsets][num_targets];
  struct Entry {
    short offset, place;  ///< of the octant, of the matrix
    unsigned targets;     ///< one bit per target that has a source
  } entry[num_octant_offsets];
  int count;
};

__device__ void find_sources(const View<double>& view, const Group& group, const Index* targets, int here,
                             Sources& sources) {
  for (int i = threadIdx.x; i < num_octant_offsets * num_targets; i += blockDim.x) {
    const int o = i / num_targets, t = i % num_targets;
    int place = 0;
    Index grid = no_box;
    if (t < here && octant_offset(o, group.octant, place)) grid = source_at(view, targets[t], o);
    sources.grid[o][t] = grid;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    int n = 0;
    for (int first = 0; first < num_octant_offsets; first += 32) {
      const int o = first + int(threadIdx.x);
      unsigned targets_here = 0;
      for (int t = 0; t < num_targets && o < num_octant_offsets; ++t)
        if (sources.grid[o][t] != no_box) targets_here |= 1u << t;
      const unsigned votes = __ballot_sync(~0u, targets_here != 0);
      int place = 0;
      if (targets_here != 0) {
        octant_offset(o, group.octant, place);
        sources.entry[n + __popc(votes & ((1u << threadIdx.x) - 1))] = {short(o), short(place), targets_here};
      }
      n += __popc(votes);
    }
    if (threadIdx.x == 0) sources.count = n;
  }
  __syncthreads();
}

__device__ __forceinline__ double negative(double x) {  // in the integer unit
  return __hiloint2double(__double2hiint(x) ^ int(0x80000000u), __double2loint(x));
}

constexpr int steps = 2;  // of four columns, between two reads of the list of sources

/// A lane's columns of a matrix, one of four each, in its two rows.
struct Columns {
  complex<double> upper[steps], lower[steps];
};

/// Sums of 16 rows of all targets.
class Sums {
 public:
  /// @param values of this lane's vector and row of tile 0
  __device__ __forceinline__ void add(const Columns& m, const complex<double>* values, unsigned targets,
                                      bool imaginary) {
#pragma unroll
    for (int p = 0; p < num_targets / 2; ++p) {
      const unsigned pair = targets >> 2 * p & 3;
      if (pair == 3)
        add_tiles<3, -1>(3 * p, m, values + 12 * p * stride, imaginary);
      else if (pair == 1)
        add_tiles<2, 1>(3 * p, m, values + 12 * p * stride, imaginary);
      else if (pair == 2)
        add_tiles<2, 0>(3 * p + 1, m, values + (12 * p + 4) * stride, imaginary);
    }
  }

  /// @param to row 0 of this warp in the first vector
  __device__ void store(const View<double>& view, const Index* targets, int here, int row, int rank) const {
    const int t = threadIdx.x % 4;
#pragma unroll
    for (int n = 0; n < tiles; ++n) {
      const int vector = 4 * n + t, target = vector / current_vectors;
      if (target >= here) continue;
      complex<double>* to = view.incoming + vector % current_vectors * view.grid_values +
                            Offset(view.boxes[targets[target]].grid) * view.rows + row;
      if (row < rank) to[0] += complex<double>(sum_[n][0], sum_[n][1]);
      if (row + 8 < rank) to[8] += complex<double>(sum_[n][2], sum_[n][3]);
    }
  }

 private:
  /// Products of N tiles in turn, so that none waits for the one before.
  /// @tparam Absent tile of which half the lanes, the lower one of tile 0, the upper one of tile 1, are of a
  ///         target without a source; -1: none
  template <int N, int Absent>
  __device__ __forceinline__ void add_tiles(int n, const Columns& m, const complex<double>* values,
                                            bool imaginary) {
    double re[steps][N], im[steps][N];
    const bool upper_half = threadIdx.x % 32 >= 16;
#pragma unroll
    for (int k = 0; k < steps; ++k)
#pragma unroll
      for (int i = 0; i < N; ++i) {
        complex<double> x = values[4 * k + 4 * i * stride];
        if (i == Absent && upper_half == (Absent == 1)) x = {};
        re[k][i] = imaginary ? x.im : x.re, im[k][i] = imaginary ? x.re : negative(x.im);
      }
#pragma unroll
    for (int k = 0; k < steps; ++k) {
#pragma unroll
      for (int i = 0; i < N; ++i)
        cuda::multiply_by_tensor(sum_[n + i], m.upper[k].re, m.lower[k].re, re[k][i]);
#pragma unroll
      for (int i = 0; i < N; ++i)
        cuda::multiply_by_tensor(sum_[n + i], m.upper[k].im, m.lower[k].im, im[k][i]);
    }
  }

  double sum_[tiles][4] = {};
};

__global__ __launch_bounds__(32 * most_warps, 2) void translate_tensor(View<double> view, const Group* groups,
                                                                       const Index* members) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ Sources sources;
  constexpr int parts = (group_boxes + num_targets - 1) / num_targets;
  const Group group = groups[blockIdx.x / parts];
  const LevelMatrices<double>& level = view.levels[group.level];
  const int number = blockIdx.x % parts * num_targets, here = min(num_targets, group.count - number),
            rank = level.rank, rows = view.rows;
  const int first_row = int(blockIdx.y) * int(blockDim.x) / 2;  // 16 a warp
  if (here <= 0 || first_row >= rank) return;
  const Index* targets = members + group.first + number;
  find_sources(view, group, targets, here, sources);

  auto* buffer = reinterpret_cast<complex<double>*>(memory);
  const auto fetch = [&](int entry, int k0, int stage) {  // a chunk of the vectors of all sources there
    const Index* grids = sources.grid[sources.entry[entry].offset];
    for (int i = threadIdx.x; i < vectors * depth; i += blockDim.x) {
      const int k = i % depth, v = i / depth;
      const Index grid = grids[v / current_vectors];
      if (grid == no_box || k0 + k >= rows) continue;
      __pipeline_memcpy_async(
          buffer + stage * stage_size + v * stride + k,
          view.outgoing + v % current_vectors * view.grid_values + Offset(grid) * rows + k0 + k,
          sizeof(complex<double>));
    }
    __pipeline_commit();
  };
  const int lane = threadIdx.x % 32, row = first_row + int(threadIdx.x) / 32 * 16 + lane / 4;
  const int upper = min(row, rows - 1), lower = min(row + 8, rows - 1);
  const complex<double>* translate = level.translate;
  const auto columns_at = [&](int entry, int k) {  // entries beyond the last column are multiplied by zeros
    const complex<double>* matrix = translate + Offset(sources.entry[entry].place) * rank * rows;
    Columns m;
    for (int i = 0; i < steps; ++i) {
      const complex<double>* column = matrix + Offset(min(k + 4 * i + lane % 4, rank - 1)) * rows;
      m.upper[i] = column[upper], m.lower[i] = column[lower];
    }
    return m;
  };
  Sums sums;
  Columns columns{};
  int stage = 0;
  if (sources.count > 0) fetch(0, 0, 0), columns = columns_at(0, 0);
  for (int entry = 0; entry < sources.count; ++entry) {
    const unsigned sources_here = sources.entry[entry].targets;
    for (int k0 = 0; k0 < rank; k0 += depth, stage ^= 1) {
      const bool same = k0 + depth < rank, more = same || entry + 1 < sources.count;
      __pipeline_wait_prior(0);
      __syncthreads();  // the values are loaded, and the previous ones are no longer read
      if (more) fetch(same ? entry : entry + 1, same ? k0 + depth : 0, stage ^ 1);
      const complex<double>* values = buffer + stage * stage_size + lane / 8 * stride + lane % 4;
      const int end = min(k0 + depth, rank);
#pragma unroll 1
      for (int k = k0; k < end; k += 4 * steps) {
        const bool last = k + 4 * steps >= rank;
        Columns next{};
        if (!last || more) next = columns_at(last ? entry + 1 : entry, last ? 0 : k + 4 * steps);
        sums.add(columns, values + k - k0, sources_here, lane / 4 % 2 == 1);
        columns = next;
      }
    }
  }
  sums.store(view, targets, here, row, rank);
}

/// Warps of a block: those with the fewest rows past the last.
int choose_warps(int rank) {
  const int row_tiles = (rank + 15) / 16;
  const auto padded = [&](int w) { return (row_tiles + w - 1) / w * w; };
  int best = most_warps;
  for (int w = most_warps - 1; w >= 4; --w)
    if (padded(w) < padded(best)) best = w;
  return best;
}

}  // namespace

bool can_translate_by_tensor() {
  return cuda::is_compiled_for(90, translate_tensor);
}

void launch_translate_tensor(const Evaluation<double>& e, const Group* groups, Offset num_groups,
                             const Index* members, int rank, cudaStream_t stream) {
  if (num_groups == 0) return;
  CURLEW_CUDA_CALL(
      cudaFuncSetAttribute(translate_tensor, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  const int warps = choose_warps(rank);
  const dim3 grid(unsigned(num_groups * ((group_boxes + num_targets - 1) / num_targets)),
                  unsigned((rank + 16 * warps - 1) / (16 * warps)));
  translate_tensor<<<grid, 32 * warps, shared_bytes, stream>>>(e.view, groups, members);
  CURLEW_CHECK_LAUNCH("translate_tensor");
}

}  // namespace curlew::ngim::device
