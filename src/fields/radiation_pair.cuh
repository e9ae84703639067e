// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the all-pairs kernels of the GPU: their job, and the factors of a pair with fewer instructions in
// double precision than in green/elementary.hpp: exp(-jR) by a table of 512 places on the circle and short
// polynomials (15 instructions with 1/R, for 32), the root by one cubic step from the hardware's estimate.
// Lengths are in units of 1/k. For this module only.

#include <cuda_runtime.h>

#include "base/vec3.hpp"
#include "fields/radiation.hpp"
#include "fields/radiation_sources.hpp"
#include "green/surface_pair.hpp"

namespace curlew::fields {

constexpr int phase_places = 512;
constexpr int values_per_column = RadiationSources::values;
constexpr int components = values_per_column / 2;  // of u + v and u - v
constexpr int source_lanes = RadiationSources::lanes;

/// Right-hand sides on the device, of which a pass uses some.
struct RadiationCurrents {
  const double* positions;  // [blocks, 3, lanes] [m]
  const double* currents;   // [blocks, count, values, lanes]
  int num_blocks;
  int count, first;  // right-hand sides in all, the first of this pass
  double k;
};

/// cos, sin of an angle.
template <class T>
struct alignas(2 * sizeof(T)) Phase {
  T cos, sin;
};

struct RadiationJob {
  const Phase<double>* phases;  // [phase_places] of 2 pi i / phase_places
  const double* observers;      // x of the first one; y and z follow after `axis` and 2 `axis`
  Offset num_observers, axis;
  const double* rows;  // [num_rows, row], and zeros up to whole tiles
  int num_rows;
  double* partial;  // [splits, columns, values, num_observers]
};

__device__ inline Vec3<double> observer_of(const RadiationJob& job, Offset i) {
  const double* at = job.observers + (i < job.num_observers ? i : job.num_observers - 1);
  return {at[0], at[job.axis], at[2 * job.axis]};
}

/// 1/sqrt(x), 0 where x is below 1e-300: y (1 + e/2 + 3e^2/8) with e = 1 - x y^2, from a seed y of 20 bits.
__device__ inline double quick_inverse_sqrt(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double e = fma(-(x * y), y, 1.0);
  y = fma(fma(e, 0.375, 0.5), e * y, y);
  return __double2hiint(x) > 0x01a56e1f ? y : 0.0;
}

/// exp(-jR)/R. The remainder of the angle is below pi/512: the next terms of the polynomials are below 1e-16.
__device__ inline green::Pair<double> quick_green(double r, double r_inv, const Phase<double>* phases) {
  constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
  constexpr double step = 2 * pi / phase_places;
  const double shifted = fma(r, 1 / step, magic);
  const double x = fma(shifted - magic, -step, r), z = x * x;
  const Phase<double> place = phases[__double2loint(shifted) & (phase_places - 1)];
  const double c0 = place.cos * r_inv, s0 = place.sin * r_inv;
  const double s = fma(fma(z, 1.0 / 120, -1.0 / 6) * z, x, x);
  const double c = fma(z, fma(z, 1.0 / 24, -0.5), 1.0);
  return {c0 * c - s0 * s, -(s0 * c) - c0 * s};
}

__device__ inline green::PairFactors<double> quick_pair_factors(Vec3<double> d, const Phase<double>* phases) {
  const double r2 = d.x * d.x + d.y * d.y + d.z * d.z;
  const double r_inv = quick_inverse_sqrt(r2);
  return green::pair_factors<double>(r2, r_inv, quick_green(r2 * r_inv, r_inv, phases), 1.0);
}

/// In single precision but for the distance and the remainder of the phase, which would lose too much at many
/// wavelengths: 13 instructions in double precision. The next terms of the polynomials are below 1e-10.
__device__ inline green::PairFactors<float> quick_pair_factors(Vec3<double> d, const Phase<float>* phases) {
  constexpr double magic = 6755399441055744.0, step = 2 * pi / phase_places;
  const double r2 = d.x * d.x + d.y * d.y + d.z * d.z;
  const float r2_single = float(r2), r_inv = green::inverse_sqrt(r2_single);
  const double y = r_inv, seed = r2 * y;
  const double r = fma(0.5 * seed, fma(-seed, y, 1.0), seed);
  const double shifted = fma(r, 1 / step, magic);
  const float x = float(fma(shifted - magic, -step, r)), z = x * x;
  const Phase<float> place = phases[__double2loint(shifted) & (phase_places - 1)];
  const float c0 = place.cos * r_inv, s0 = place.sin * r_inv;
  const float s = fmaf(x * z, -1.0f / 6, x), c = fmaf(z, -0.5f, 1.0f);
  return green::pair_factors<float>(r2_single, r_inv, {c0 * c - s0 * s, -(s0 * c) - c0 * s}, 1.0f);
}

/// A kernel with the number of its columns and how it divides the work.
struct RadiationKernel {
  int columns;
  int observers_per_block;
  int blocks;  ///< resident per multiprocessor
  int tile;    ///< sources in shared memory at a time
  int row;     ///< values of a source
  void (*arrange)(const RadiationCurrents&, Offset num_rows, double* rows, cudaStream_t stream);
  /// The sources are divided into `splits` parts of whole tiles.
  void (*launch)(const RadiationJob& job, unsigned observer_blocks, unsigned splits, cudaStream_t stream);
};

/// One right-hand side, in vector instructions; for any processor.
RadiationKernel vector_radiation(PairPrecision precision);
/// Whether the code that this device runs was compiled for compute capability 9.0 or later. A newer device
/// may run what was compiled for an older one, so that its own number does not tell.
bool can_use_tensor_radiation();
/// For `columns` right-hand sides, at most 16. @pre can_use_tensor_radiation()
RadiationKernel tensor_radiation(int columns);

}  // namespace curlew::fields
