// SPDX-License-Identifier: BSD-3-Clause
// All pairs for one right-hand side: 68 instructions in double precision for K and 72 for its products with
// the currents. Two observers a thread, so that an operand read from the registers serves two instructions
// (three operands of 64 bits take longer to read than to multiply); bytes do not count.

#include "base/cuda.hpp"
#include "fields/radiation_pair.cuh"

namespace curlew::fields {
namespace {

constexpr int block_size = 128;
constexpr int tile = 64;
constexpr int observers = 2;  // of a thread

struct Source {
  double position[4];
  double current[values_per_column];
};

__global__ __launch_bounds__(block_size) void all_pairs(RadiationJob job) {
  __shared__ Source sources[tile];
  __shared__ double2 phases[phase_places];
  for (int i = threadIdx.x; i < phase_places; i += block_size) phases[i] = job.phases[i];
  const Offset m = job.num_observers;
  const Offset first = Offset(blockIdx.x) * block_size * observers + threadIdx.x;
  Vec3<double> r[observers];
  for (int o = 0; o < observers; ++o) r[o] = observer_of(job, first + o * block_size);
  double plus[observers][6] = {}, minus[observers][6] = {};
  const int begin = int(blockIdx.y) * job.blocks_per_split;
  const int end = min(begin + job.blocks_per_split, job.num_blocks);
  for (int b = begin; b < end; b += tile / source_lanes) {
    __syncthreads();
    for (int i = threadIdx.x; i < tile * (3 + values_per_column); i += block_size) {
      const int value = i / tile, s = i % tile, source = b * source_lanes + s;
      if (value < 3)
        sources[s].position[value] = position_of(job, source, value);
      else
        sources[s].current[value - 3] = current_of(job, source, 0, value - 3);
    }
    __syncthreads();
#pragma unroll 1
    for (const Source& s : sources) {
      Vec3<double> d[observers];
      green::PairFactors<double> factors[observers];
#pragma unroll
      for (int o = 0; o < observers; ++o) {
        d[o] = {r[o].x - s.position[0], r[o].y - s.position[1], r[o].z - s.position[2]};
        factors[o] = quick_pair_factors(d[o], phases);
      }
#pragma unroll
      for (int o = 0; o < observers; ++o)
        green::add_surface_pair(green::surface_pair(d[o], factors[o]), s.current, s.current + 6, plus[o],
                                minus[o]);
    }
  }
  for (int o = 0; o < observers; ++o) {
    const Offset i = first + o * block_size;
    if (i >= m) return;
    double* to = job.partial + Offset(blockIdx.y) * values_per_column * m + i;
    for (int v = 0; v < 6; ++v) to[v * m] = plus[o][v];
    for (int v = 0; v < 6; ++v) to[(6 + v) * m] = minus[o][v];
  }
}

void launch(const RadiationJob& job, unsigned observer_blocks, unsigned splits) {
  all_pairs<<<dim3(observer_blocks, splits), block_size>>>(job);
  CURLEW_CHECK_LAUNCH("all_pairs");
}

}  // namespace

RadiationKernel vector_radiation() {
  return {1, block_size * observers, tile, launch};
}

}  // namespace curlew::fields
