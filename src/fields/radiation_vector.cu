// SPDX-License-Identifier: BSD-3-Clause
// All pairs for one right-hand side: 68 instructions in double precision for K and 72 for its products with
// the currents. Four observers a thread, so that an operand read from the registers serves four instructions
// (three operands of 64 bits take longer to read than to multiply); bytes do not count.

#include "fields/radiation_rows.cuh"

namespace curlew::fields {
namespace {

constexpr int block_size = 128;
constexpr int tile = 64;
constexpr int observers = 4;  // of a thread
constexpr int blocks = 2;     // of a multiprocessor

struct Row {
  static constexpr int columns = 1, size = 4 + values_per_column, position = 0;
  __device__ static int place(int, int value) { return 4 + value; }
};

__global__ __launch_bounds__(block_size, blocks) void all_pairs(RadiationJob job) {
  extern __shared__ __align__(16) double shared[];
  const auto* phases = reinterpret_cast<const double2*>(shared);
  const Offset m = job.num_observers;
  const Offset first = Offset(blockIdx.x) * block_size * observers + threadIdx.x;
  Vec3<double> r[observers];
  for (int o = 0; o < observers; ++o) r[o] = observer_of(job, first + o * block_size);
  double plus[observers][6] = {}, minus[observers][6] = {};
  for_each_tile<Row, tile, block_size>(job, shared, [&](const double* rows) {
#pragma unroll 1
    for (int s = 0; s < tile; ++s) {
      const double* p = rows + s * Row::size;
      Vec3<double> d[observers];
      green::PairFactors<double> factors[observers];
#pragma unroll
      for (int o = 0; o < observers; ++o) {
        d[o] = {r[o].x - p[0], r[o].y - p[1], r[o].z - p[2]};
        factors[o] = quick_pair_factors(d[o], phases);
      }
#pragma unroll
      for (int o = 0; o < observers; ++o)
        green::add_surface_pair(green::surface_pair(d[o], factors[o]), p + 4, p + 10, plus[o], minus[o]);
    }
  });
  for (int o = 0; o < observers; ++o) {
    const Offset i = first + o * block_size;
    if (i >= m) return;
    double* to = job.partial + Offset(blockIdx.y) * values_per_column * m + i;
    for (int v = 0; v < 6; ++v) to[v * m] = plus[o][v];
    for (int v = 0; v < 6; ++v) to[(6 + v) * m] = minus[o][v];
  }
}

void launch(const RadiationJob& job, unsigned observer_blocks, unsigned splits) {
  constexpr int bytes = shared_bytes<Row, tile>;
  all_pairs<<<dim3(observer_blocks, splits), block_size, bytes>>>(job);
  CURLEW_CHECK_LAUNCH("all_pairs");
}

}  // namespace

RadiationKernel vector_radiation() {
  return {1, block_size * observers, blocks, tile, Row::size, launch_arrange<Row>, launch};
}

}  // namespace curlew::fields
