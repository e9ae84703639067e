// SPDX-License-Identifier: BSD-3-Clause
// All pairs of n points at the speed limit of the arithmetic: the reference for the speed of the near field.

#include <cmath>
#include <vector>

#include "base/cuda.hpp"
#include "base/cuda_event.hpp"
#include "ngim/device/view.cuh"
#include "ngim/device_solver.hpp"

namespace curlew::ngim {
namespace device {
namespace {

constexpr int block_size = 512;
constexpr int most_blocks = 2;  // of one multiprocessor
constexpr int targets_per_thread = 2;

/// Two targets per thread (best of 2, 4, 8: few registers, many warps), sources in tiles. Every tile runs its
/// full count, with zero charges behind the last, so that the loop unrolls. Where all phases take hardware
/// sines, a part of the pairs takes polynomials. Only the block's own targets can coincide with a source of
/// the tile (the mask).
template <Wave W, class T>
__global__ __launch_bounds__(block_size, sizeof(T) == 4
                                             ? most_blocks
                                             : 1) void all_pairs(int n, const Point<T>* __restrict__ points,
                                                                 const complex<T>* __restrict__ charges,
                                                                 Kernel<T> kernel, complex<T>* u) {
  constexpr int P = targets_per_thread;
  const T scale = coordinate_scale<W>(kernel);
  __shared__ Point<T> tile[block_size];
  __shared__ T tile_im[block_size];
  const int first_target = blockIdx.x * P * block_size, t = first_target + threadIdx.x;
  T x[P], y[P], z[P];
  Sum<T> sum[P][1];
  for (int p = 0; p < P; ++p) {
    const Point<T> at = points[min(t + p * block_size, n - 1)];
    x[p] = exact_product(scale, at.x), y[p] = exact_product(scale, at.y), z[p] = exact_product(scale, at.z);
  }
  for (int first = 0; first < n; first += block_size) {
    const int s = first + int(threadIdx.x);
    complex<T> q = s < n ? charges[s] : complex<T>();
    const Point<T> at = points[min(s, n - 1)];
    if constexpr (is_polar<W, false, 1>) q = polar(q);
    __syncthreads();
    tile[threadIdx.x] = {scale * at.x, scale * at.y, scale * at.z, q.re}, tile_im[threadIdx.x] = q.im;
    __syncthreads();
    const auto add_tile = [&]<bool masked>(std::bool_constant<masked>) {
      constexpr int turns = 8;
#pragma unroll 1
      for (int begin = 0; begin < block_size; begin += turns) {
#pragma unroll
        for (int turn = 0; turn < turns; ++turn) {
          const Point<T> from = tile[begin + turn];
          const complex<T> charge[1] = {{from.w, tile_im[begin + turn]}};
#pragma unroll
          for (int p = 0; p < P; ++p)
            add_mixed_pair<W, false, masked>(turn * P + p, sum[p], x[p] - from.x, y[p] - from.y,
                                             z[p] - from.z, charge, kernel);
        }
      }
    };
    if (first + block_size > first_target && first < first_target + P * block_size)
      add_tile(std::true_type());
    else
      add_tile(std::false_type());
  }
  for (int p = 0; p < P; ++p) {
    if (t + p * block_size < n) u[t + p * block_size] = {scale * sum[p][0].v[0], scale * sum[p][0].v[1]};
  }
}

}  // namespace
}  // namespace device

using namespace device;  // NOLINT: the kernel's only user

template <class T>
double all_pairs_rate(Offset n, double k) {
  std::vector<Point<T>> points(n);
  const std::vector<complex<T>> charges(n, {T(0.7), T(0.3)});
  for (Offset i = 0; i < n; ++i)
    points[i] = {T(std::fmod(0.754877666 * double(i), 1.0)), T(std::fmod(0.569840291 * double(i), 1.0)),
                 T(std::fmod(0.430159709 * double(i), 1.0)), T(0)};
  const cuda::Buffer<Point<T>> d_points(points);
  const cuda::Buffer<complex<T>> d_charges(charges);
  cuda::Buffer<complex<T>> u(n);
  const auto kernel = make_kernel<T>({k, 0});
  const Wave wave = k == 0 ? Wave::static_kernel : wave_of<T>(k * std::sqrt(3.0));
  const cuda::StopWatch watch;
  double best = 0;
  for (int repeat = 0; repeat < 4; ++repeat) {
    watch.start();
    dispatch_wave<T, true>(wave, [&](auto w) {
      all_pairs<decltype(w)::value, T><<<cuda::blocks_for(n, targets_per_thread * block_size), block_size>>>(
          int(n), d_points.data(), d_charges.data(), kernel, u.data());
    });
    CURLEW_CHECK_LAUNCH("all_pairs");
    const double seconds = watch.stop();
    if (repeat == 1 || (repeat > 1 && seconds < best)) best = seconds;
  }
  return double(n) * double(n) / best;
}

template double all_pairs_rate<float>(Offset, double);
template double all_pairs_rate<double>(Offset, double);

}  // namespace curlew::ngim
