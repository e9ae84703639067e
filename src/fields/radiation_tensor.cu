// SPDX-License-Identifier: BSD-3-Clause
// All pairs for several right-hand sides on the tensor cores, in double precision: they multiply twice as
// fast as vector instructions and read fewer registers for it. Needs compute capability 9.0.
//
// A warp takes 8 observers and 4 sources at a time, a pair a lane. Each entry of the pair's matrix K, real
// part above imaginary part, is then a 16 x 4 operand A of mma.m16n8k4 as the lanes hold it: row lane/4 (+
// 8), column lane%4. Columns of B (4 sources x 8):
//   quads: real and imaginary parts of four right-hand sides of a component of u + v, which K multiplies,
//          or of u - v, which K^T does: 18 products of matrices for 32 pairs and four right-hand sides;
//   pair:  two right-hand sides of u + v and of u - v side by side: K_ij goes with component j of the one and
//          with component i of the other, 9 products of matrices, their sums kept by i and j.
// Real and imaginary parts of the products are combined at the end: (re re - im im, re im + im re).

#include "base/cuda.hpp"
#include "fields/radiation_pair.cuh"

namespace curlew::fields {
namespace {

constexpr int block_size = 128;
constexpr int observers_per_block = block_size / 4;

/// Where the values of a source stand in shared memory. Rows are 4 or 12 longer than a multiple of 16, so
/// that the lanes of half a warp read from different banks.
template <int Quads, bool Pair>
struct Row {
  static constexpr int columns = 4 * Quads + (Pair ? 2 : 0);
  static constexpr int used = 48 * Quads + (Pair ? 24 : 0);
  static constexpr int size = used + (20 - used % 16) % 16;
  /// @param value 0..11: u + v, then u - v, real and imaginary part by component
  __device__ static int place(int column, int value) {
    if (column < 4 * Quads) return 48 * (column / 4) + 8 * (value / 2) + 2 * (column % 4) + value % 2;
    return 48 * Quads + 4 * (value / 2) + 2 * (column - 4 * Quads) + value % 2;
  }
};

template <int Quads, bool Pair, int Tile>
constexpr int shared_bytes() {
  return int(sizeof(double2)) * phase_places + int(sizeof(double)) * Tile * (3 + Row<Quads, Pair>::size);
}

/// c += a b
__device__ inline void multiply(double (&c)[4], green::Pair<double> a, double b) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a.re), "d"(a.im), "d"(b));
#else
  __trap();  // can_use_tensor_radiation keeps this code from being chosen
#endif
}

template <int Quads, bool Pair>
struct Sums {
  double quad[Quads > 0 ? Quads : 1][2][3][4] = {};  // [quad][plus, minus][component]
  double pair[Pair ? 3 : 1][3][4] = {};              // [i][j]

  /// @param row values of this lane's source
  __device__ void add(const green::SurfacePair<double>& m, const double* row, int column) {
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) {
#pragma unroll
        for (int q = 0; q < Quads; ++q) {
          multiply(quad[q][0][i], m.k[i][j], row[48 * q + 8 * j + column]);
          multiply(quad[q][1][j], m.k[i][j], row[48 * q + 8 * (3 + i) + column]);
        }
        if constexpr (Pair)
          multiply(pair[i][j], m.k[i][j],
                   row[48 * Quads + (column < 4 ? 4 * j + column : 4 * (3 + i) + column - 4)]);
      }
  }

  /// @param to [columns, values, m], at the observer @param t lane%4
  __device__ void store(double* to, Offset m, int t) const {
    const auto put = [&](int column, int sign, int i, const double(&c)[4]) {
      double* at = to + (Offset(column) * values_per_column + 6 * sign + 2 * i) * m;
      at[0] = c[0] - c[3];
      at[m] = c[1] + c[2];
    };
#pragma unroll
    for (int i = 0; i < 3; ++i) {
#pragma unroll
      for (int q = 0; q < Quads; ++q)
        for (int sign = 0; sign < 2; ++sign) put(4 * q + t, sign, i, quad[q][sign][i]);
      if constexpr (Pair) {
        double c[4];
        for (int v = 0; v < 4; ++v)
          c[v] = t < 2 ? pair[i][0][v] + pair[i][1][v] + pair[i][2][v]
                       : pair[0][i][v] + pair[1][i][v] + pair[2][i][v];
        put(4 * Quads + t % 2, t / 2, i, c);
      }
    }
  }
};

template <int Quads, bool Pair, int Tile, int Blocks>
__global__ __launch_bounds__(block_size, Blocks) void all_pairs(RadiationJob job) {
  using Layout = Row<Quads, Pair>;
  extern __shared__ __align__(16) double shared[];
  auto* phases = reinterpret_cast<double2*>(shared);
  double* position = shared + 2 * phase_places;
  double* current = position + 3 * Tile;
  for (int i = threadIdx.x; i < phase_places; i += block_size) phases[i] = job.phases[i];
  const int t = int(threadIdx.x) % 4, column = int(threadIdx.x) % 32 / 4;
  const Offset observer = (Offset(blockIdx.x) * block_size + threadIdx.x) / 32 * 8 + column;
  const Vec3<double> r = observer_of(job, observer);
  Sums<Quads, Pair> sums;
  const int begin = int(blockIdx.y) * job.blocks_per_split;
  const int end = min(begin + job.blocks_per_split, job.num_blocks);
  for (int b = begin; b < end; b += Tile / source_lanes) {
    __syncthreads();
    for (int i = threadIdx.x; i < Tile * (3 + values_per_column * Layout::columns); i += block_size) {
      const int s = i % Tile, source = b * source_lanes + s;
      const int c = (i / Tile - 3) / values_per_column, value = (i / Tile - 3) % values_per_column;
      if (i < 3 * Tile)
        position[i] = position_of(job, source, i / Tile);
      else
        current[s * Layout::size + Layout::place(c, value)] = current_of(job, source, c, value);
    }
    __syncthreads();
#pragma unroll 1
    for (int s = t; s < Tile; s += 4) {
      const Vec3<double> d{r.x - position[s], r.y - position[Tile + s], r.z - position[2 * Tile + s]};
      const auto pair = green::surface_pair(d, quick_pair_factors(d, phases));
      sums.add(pair, current + s * Layout::size, column);
    }
  }
  const Offset m = job.num_observers;
  if (observer < m)
    sums.store(job.partial + Offset(blockIdx.y) * Layout::columns * values_per_column * m + observer, m, t);
}

template <int Quads, bool Pair, int Tile, int Blocks>
RadiationKernel kernel() {
  return {Row<Quads, Pair>::columns, observers_per_block, Tile,
          [](const RadiationJob& job, unsigned observer_blocks, unsigned splits) {
            all_pairs<Quads, Pair, Tile, Blocks>
                <<<dim3(observer_blocks, splits), block_size, shared_bytes<Quads, Pair, Tile>()>>>(job);
            CURLEW_CHECK_LAUNCH("all_pairs");
          }};
}

}  // namespace

bool can_use_tensor_radiation() {
  cudaFuncAttributes attributes;
  CURLEW_CUDA_CALL(cudaFuncGetAttributes(&attributes, all_pairs<1, false, 32, 4>));
  return attributes.ptxVersion >= 90;
}

// Tiles and blocks per multiprocessor are the fastest of those that an H200 was tried with.
RadiationKernel tensor_radiation(int columns) {
  if (columns <= 2) return kernel<0, true, 64, 4>();
  if (columns <= 4) return kernel<1, false, 32, 4>();
  return kernel<2, false, 32, 3>();
}

}  // namespace curlew::fields
