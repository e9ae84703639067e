// SPDX-License-Identifier: BSD-3-Clause
// Plane wave sums on the GPU. A thread has one direction, a block reads tiles of points into shared memory,
// where all its threads read the same value at a time. A point and a direction cost 3 + 31 multiply-adds for
// the exponential and 4 for each complex column: limited by double-precision arithmetic, 58 of them with six
// columns (two waves on conductors), against 24 bytes of shared memory per point and 16 per column and point.

#include <algorithm>
#include <cstring>

#include "base/complex.hpp"
#include "base/cuda.hpp"
#include "base/cuda_grid.hpp"
#include "base/device.hpp"
#include "base/error.hpp"
#include "fields/plane_wave_sum_device.hpp"
#include "green/plane_phase.hpp"

namespace curlew::fields {
namespace {

using Value = complex<double>;
using Point = Vec3<double>;

constexpr int block_size = 128;
constexpr std::size_t partial_values = std::size_t(4) << 20;  // 64 MiB of unfinished sums

struct Job {
  const Point* points;   // [n]
  const Value* moments;  // [columns of the pass, n]
  Offset n, chunk;       // points of one split
  const Point* units;    // [m]
  Offset m;
  Value* partial;  // [splits, columns, m]
};

template <int Columns>
__global__ __launch_bounds__(block_size) void plane_wave_sums(Job job) {
  __shared__ double at[block_size][3], moment[block_size][2 * Columns];
  const Offset d = Offset(blockIdx.x) * block_size + threadIdx.x;
  const Point u = job.units[d < job.m ? d : job.m - 1];
  const Offset begin = Offset(blockIdx.y) * job.chunk;
  const Offset end = begin + job.chunk < job.n ? begin + job.chunk : job.n;
  double re[Columns] = {}, im[Columns] = {};
  for (Offset first = begin; first < end; first += block_size) {
    const int here = int(end - first < block_size ? end - first : block_size);
    __syncthreads();
    if (int(threadIdx.x) < here) {
      for (int i = 0; i < 3; ++i) at[threadIdx.x][i] = job.points[first + threadIdx.x][i];
      for (int v = 0; v < Columns; ++v) {
        const Value q = job.moments[v * job.n + first + threadIdx.x];
        moment[threadIdx.x][2 * v] = q.re, moment[threadIdx.x][2 * v + 1] = q.im;
      }
    }
    __syncthreads();
    for (int p = 0; p < here; ++p) {
      double s, c;
      green::plane_phase<double>(u.x, u.y, u.z, at[p][0], at[p][1], at[p][2], s, c);
#pragma unroll
      for (int v = 0; v < Columns; ++v) {
        const double q_re = moment[p][2 * v], q_im = moment[p][2 * v + 1];
        re[v] = fma(c, q_re, fma(-s, q_im, re[v]));
        im[v] = fma(c, q_im, fma(s, q_re, im[v]));
      }
    }
  }
  if (d >= job.m) return;
  for (int v = 0; v < Columns; ++v)
    job.partial[(Offset(blockIdx.y) * Columns + v) * job.m + d] = Value(re[v], im[v]);
}

/// Adds the splits in their order. @param sums [values]
__global__ void add_splits(const Value* partial, int splits, Offset values, Value* sums) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= values) return;
  Value sum;
  for (int s = 0; s < splits; ++s) sum += partial[s * values + i];
  sums[i] = sum;
}

/// Enough blocks for some rounds of the machine.
int splits_for(Offset n, Offset m, int multiprocessors) {
  constexpr int rounds = 8, resident = 8;
  const Offset tiles = (n + block_size - 1) / block_size;
  const Offset wanted = (Offset(rounds) * resident * multiprocessors + cuda::blocks_for(m, block_size) - 1) /
                        cuda::blocks_for(m, block_size);
  return int(std::clamp<Offset>(wanted, 1, std::min<Offset>(tiles, 65535)));
}

template <int Columns>
void run_pass(Job job, int splits, Value* sums) {
  plane_wave_sums<Columns><<<dim3(cuda::blocks_for(job.m, block_size), unsigned(splits)), block_size>>>(job);
  CURLEW_CHECK_LAUNCH("plane_wave_sums");
  const Offset values = Columns * job.m;
  add_splits<<<cuda::blocks_for(values, block_size), block_size>>>(job.partial, splits, values, sums);
  CURLEW_CHECK_LAUNCH("add_splits");
}

void run_columns(int columns, const Job& job, int splits, Value* sums) {
  if (columns == 3)
    run_pass<3>(job, splits, sums);
  else if (columns == 6)
    run_pass<6>(job, splits, sums);
  else
    run_pass<12>(job, splits, sums);
}

/// Columns that share the exponentials of a pass: the remaining ones, at most as many as fit into registers.
int columns_of_pass(std::size_t left) {
  return left > 6 ? 12 : (left > 3 ? 6 : 3);
}

template <class To, class From>
cuda::Buffer<To> uploaded(std::span<const From> host) {
  static_assert(sizeof(To) == sizeof(From));
  cuda::Buffer<To> buffer(host.size());
  buffer.upload(reinterpret_cast<const To*>(host.data()));
  return buffer;
}

}  // namespace

std::vector<Complex> all_on_device(std::span<const Vec3<double>> points, std::span<const Complex> moments,
                                   std::span<const Vec3<double>> units) {
  const std::size_t n = points.size(), m = units.size(), columns = moments.size() / n;
  const int multiprocessors = device_info().multiprocessors;
  const auto at = uploaded<Point>(points), to = uploaded<Point>(units);
  const std::size_t slab = std::min(m, std::size_t(1) << 20);
  const int splits = std::min<int>(splits_for(Offset(n), Offset(slab), multiprocessors),
                                   int(std::max<std::size_t>(1, partial_values / (12 * slab))));
  const Offset tiles = (Offset(n) + block_size - 1) / block_size;
  const Offset chunk = (tiles + splits - 1) / splits * block_size;
  cuda::Buffer<Value> partial(std::size_t(splits) * 12 * slab), sums(12 * slab), charges(12 * n);
  std::vector<Complex> out(columns * m), padded(12 * n), slab_sums(12 * slab);
  for (std::size_t first = 0; first < columns;) {
    const int pass = columns_of_pass(columns - first);
    const std::size_t own = std::min(std::size_t(pass), columns - first);
    std::fill(std::copy_n(&moments[first * n], own * n, padded.begin()), padded.end(), Complex());
    charges.upload(reinterpret_cast<const Value*>(padded.data()));
    for (std::size_t d = 0; d < m; d += slab) {
      check_interrupt();
      const std::size_t here = std::min(slab, m - d);
      run_columns(pass,
                  {at.data(), charges.data(), Offset(n), chunk, to.data() + d, Offset(here), partial.data()},
                  splits, sums.data());
      sums.download(reinterpret_cast<Value*>(slab_sums.data()));
      for (std::size_t v = 0; v < own; ++v)
        std::copy_n(&slab_sums[v * here], here, &out[(first + v) * m + d]);
    }
    first += own;
  }
  return out;
}

}  // namespace curlew::fields
