// SPDX-License-Identifier: BSD-3-Clause
// All pairs of n points, as fast as the arithmetic allows: what the near field is measured against.

#include <cmath>
#include <vector>

#include "base/cuda.hpp"
#include "ngim/device/view.cuh"
#include "ngim/device_solver.hpp"

namespace curlew::ngim {
namespace device {
namespace {

constexpr int block_size = 256;
constexpr int most_blocks = 3;  // of one multiprocessor: best of 1 ... 4, registers against warps

/// Four targets per thread, sources in tiles. Where all phases take hardware sines, one target of the four
/// takes polynomials. Only the block's own targets can coincide with a source of the tile (the mask).
template <Wave W, class T>
__global__ __launch_bounds__(block_size, sizeof(T) == 4
                                             ? most_blocks
                                             : 1) void all_pairs(int n, const Point<T>* __restrict__ points,
                                                                 const complex<T>* __restrict__ charges,
                                                                 Kernel<T> kernel, complex<T>* u) {
  constexpr int P = 4;
  constexpr bool mixed = W == Wave::scaled;
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
    const int here = min(block_size, n - first);
    __syncthreads();
    if (int(threadIdx.x) < here) {
      const complex<T> q = charges[first + threadIdx.x];
      const Point<T> at = points[first + threadIdx.x];
      tile[threadIdx.x] = {scale * at.x, scale * at.y, scale * at.z, q.re}, tile_im[threadIdx.x] = q.im;
    }
    __syncthreads();
    const auto add_tile = [&]<bool masked>(std::bool_constant<masked>) {
#pragma unroll 4
      for (int s = 0; s < here; ++s) {
        const Point<T> at = tile[s];
        const complex<T> q[1] = {{at.w, tile_im[s]}};
#pragma unroll
        for (int p = 0; p < P; ++p) {
          const T dx = x[p] - at.x, dy = y[p] - at.y, dz = z[p] - at.z;
          if (p == P - 1)
            add_pair<W, false, masked, mixed, 1, T>(sum[p], dx, dy, dz, q, kernel);
          else
            add_pair<W, false, masked, false, 1, T>(sum[p], dx, dy, dz, q, kernel);
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
  const Wave wave = k == 0 ? Wave::still : wave_of<T>(k * std::sqrt(3.0));
  cudaEvent_t start, stop;
  CURLEW_CUDA_CALL(cudaEventCreate(&start));
  CURLEW_CUDA_CALL(cudaEventCreate(&stop));
  float best = 0;
  for (int repeat = 0; repeat < 4; ++repeat) {
    CURLEW_CUDA_CALL(cudaEventRecord(start));
    dispatch_wave<T, true>(wave, [&](auto w) {
      all_pairs<decltype(w)::value, T><<<blocks_of(n, 4 * block_size), block_size>>>(
          int(n), d_points.data(), d_charges.data(), kernel, u.data());
    });
    CURLEW_CHECK_LAUNCH("all_pairs");
    CURLEW_CUDA_CALL(cudaEventRecord(stop));
    CURLEW_CUDA_CALL(cudaEventSynchronize(stop));
    float ms = 0;
    CURLEW_CUDA_CALL(cudaEventElapsedTime(&ms, start, stop));
    if (repeat == 1 || (repeat > 1 && ms < best)) best = ms;
  }
  CURLEW_CUDA_CALL(cudaEventDestroy(start));
  CURLEW_CUDA_CALL(cudaEventDestroy(stop));
  return double(n) * double(n) / (1e-3 * double(best));
}

template double all_pairs_rate<float>(Offset, double);
template double all_pairs_rate<double>(Offset, double);

}  // namespace curlew::ngim
