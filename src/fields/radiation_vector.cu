// SPDX-License-Identifier: BSD-3-Clause
// All pairs for one right-hand side: 68 instructions in double precision for K and 72 for its products with
// the currents. Several observers per thread, so that an operand read from the registers is used in several
// instructions (three operands of 64 bits take longer to read than to multiply); memory is no limit.
//
// In single precision the products of a tile are summed in single, the tiles in double.

#include <type_traits>

#include "fields/radiation_rows.cuh"

namespace curlew::fields {
namespace {

constexpr int block_size = 128;
constexpr int tile = 32;

template <class T>
struct Row {
  using Number = T;
  static constexpr int columns = 1, position = 0, values = 4;
  static constexpr int size = values + values_per_column * int(sizeof(T)) / int(sizeof(double));
  __device__ static void put(double* row, int, int component, double re, double im) {
    T* to = reinterpret_cast<T*>(row + values) + 2 * component;
    to[0] = T(re);
    to[1] = T(im);
  }
};

/// k E -+ curl E of a thread's observers.
template <class T, int Observers>
struct Sums {
  T plus[Observers][6] = {}, minus[Observers][6] = {};

  /// @param row of a source @param r observers
  __device__ void add(const double* row, const Vec3<double> (&r)[Observers], const Phase<T>* phases) {
    Vec3<T> d[Observers];
    green::PairFactors<T> factors[Observers];
#pragma unroll
    for (int o = 0; o < Observers; ++o) {
      const Vec3<double> exact{r[o].x - row[0], r[o].y - row[1], r[o].z - row[2]};
      factors[o] = quick_pair_factors(exact, phases);
      d[o] = {T(exact.x), T(exact.y), T(exact.z)};
    }
    const T* v = reinterpret_cast<const T*>(row + Row<T>::values);
#pragma unroll
    for (int o = 0; o < Observers; ++o)
      green::add_surface_pair(green::surface_pair(d[o], factors[o]), v, v + 6, plus[o], minus[o]);
  }

  __device__ void add(const Sums<float, Observers>& part) {
#pragma unroll
    for (int o = 0; o < Observers; ++o)
#pragma unroll
      for (int v = 0; v < 6; ++v) {
        plus[o][v] += part.plus[o][v];
        minus[o][v] += part.minus[o][v];
      }
  }
};

template <class T, int Observers, int Blocks>
__global__ __launch_bounds__(block_size, Blocks) void all_pairs(RadiationJob job) {
  extern __shared__ __align__(16) double shared[];
  const auto* phases = reinterpret_cast<const Phase<T>*>(shared);
  const Offset m = job.num_observers;
  const Offset first = Offset(blockIdx.x) * block_size * Observers + threadIdx.x;
  Vec3<double> r[Observers];
  for (int o = 0; o < Observers; ++o) r[o] = observer_of(job, first + o * block_size);
  Sums<double, Observers> sums;
  for_each_tile<Row<T>, tile, block_size>(job, shared, [&](const double* rows, int num_rows) {
    if constexpr (std::is_same_v<T, double>) {
#pragma unroll 1
      for (int s = 0; s < num_rows; ++s) sums.add(rows + s * Row<T>::size, r, phases);
    } else {
      Sums<T, Observers> part;
#pragma unroll 1
      for (int s = 0; s < num_rows; ++s) part.add(rows + s * Row<T>::size, r, phases);
      sums.add(part);
    }
  });
  for (int o = 0; o < Observers; ++o) {
    const Offset i = first + o * block_size;
    if (i >= m) return;
    double* to = job.partial + Offset(blockIdx.y) * values_per_column * m + i;
    for (int v = 0; v < 6; ++v) to[v * m] = sums.plus[o][v];
    for (int v = 0; v < 6; ++v) to[(6 + v) * m] = sums.minus[o][v];
  }
}

template <class T, int Observers, int Blocks>
RadiationKernel kernel() {
  return launched_with<Row<T>, tile, block_size, Blocks, all_pairs<T, Observers, Blocks>>(block_size *
                                                                                          Observers);
}

}  // namespace

RadiationKernel vector_radiation(PairPrecision precision) {
  return precision == PairPrecision::exact ? kernel<double, 4, 2>() : kernel<float, 4, 2>();
}

}  // namespace curlew::fields
