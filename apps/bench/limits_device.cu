// SPDX-License-Identifier: BSD-3-Clause
#include "base/cuda_event.hpp"
#include "bench/limits_device.hpp"

#include <cublas_v2.h>

#include <algorithm>

#include "base/cuda.hpp"
#include "base/error.hpp"
#include "base/timer.hpp"

namespace curlew::bench {
namespace {

constexpr int block_size = 256;
constexpr int rounds = 512, chains = 8;  // of dependent operations, chains side by side hide their latency

/// One 16-byte word per thread and step: the widest load.
__global__ void copy_kernel(const float4* __restrict__ from, float4* __restrict__ to, std::size_t n) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    to[i] = from[i];
}

__global__ void read_kernel(const float4* __restrict__ from, float* sink, std::size_t n) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  float sum = 0;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    const float4 v = from[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == -1) *sink = sum;  // never true: keeps the compiler from removing the loads
}

/// 2 * rounds * chains operations per thread, all in registers.
template <class T>
__global__ void fma_kernel(T a, T b, T* sink) {
  T x[chains];
  for (int c = 0; c < chains; ++c) x[c] = T(threadIdx.x + c);
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int c = 0; c < chains; ++c) x[c] = x[c] * a + b;
  }
  T sum = 0;
  for (int c = 0; c < chains; ++c) sum += x[c];
  if (sum == T(-1)) *sink = sum;
}

/// rounds * chains sines per thread, on the special function units.
__global__ void sine_kernel(float* sink) {
  float x[chains];
  for (int c = 0; c < chains; ++c) x[c] = float(threadIdx.x + c);
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int c = 0; c < chains; ++c) asm volatile("sin.approx.f32 %0, %0;" : "+f"(x[c]));
  }
  float sum = 0;
  for (int c = 0; c < chains; ++c) sum += x[c];
  if (sum == -100) *sink = sum;
}

__global__ void empty_kernel() {}

/// Median seconds of a call between two events, after one warm-up.
template <class F>
double device_seconds(int repeat, F&& launch) {
  const cuda::StopWatch watch;
  launch();
  std::vector<double> seconds;
  for (int i = 0; i < std::max(repeat, 1); ++i) {
    watch.start();
    launch();
    seconds.push_back(watch.stop());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

void measure_memory(int repeat, DeviceLimits& limits) {
  const std::size_t n = std::size_t(1) << 26;  // float4: 1 GiB, past any cache
  limits.array_bytes = n * sizeof(float4);
  cuda::Buffer<float4> from(n), to(n);
  cuda::Buffer<float> sink(1);
  CURLEW_CUDA_CALL(cudaMemset(from.data(), 0, from.bytes()));
  const int blocks = 16 * device_info().multiprocessors;
  const double copy = device_seconds(repeat, [&] {
    copy_kernel<<<blocks, block_size>>>(from.data(), to.data(), n);
    CURLEW_CHECK_LAUNCH("copy");
  });
  const double read = device_seconds(repeat, [&] {
    read_kernel<<<blocks, block_size>>>(from.data(), sink.data(), n);
    CURLEW_CHECK_LAUNCH("read");
  });
  limits.copy_bytes_per_s = 2 * double(from.bytes()) / copy;
  limits.read_bytes_per_s = double(from.bytes()) / read;
}

template <class T>
double measure_fma(int repeat) {
  cuda::Buffer<T> sink(1);
  const int blocks = 32 * device_info().multiprocessors;
  const double seconds = device_seconds(repeat, [&] {
    fma_kernel<T><<<blocks, block_size>>>(T(0.999), T(0.001), sink.data());
    CURLEW_CHECK_LAUNCH("fma");
  });
  return 2.0 * rounds * chains * blocks * block_size / seconds;
}

double measure_sines(int repeat) {
  cuda::Buffer<float> sink(1);
  const int blocks = 32 * device_info().multiprocessors;
  const double seconds = device_seconds(repeat, [&] {
    sine_kernel<<<blocks, block_size>>>(sink.data());
    CURLEW_CHECK_LAUNCH("sine");
  });
  return double(rounds) * chains * blocks * block_size / seconds;
}

double measure_zgemm(int repeat) {
  const int n = 4096;
  cuda::Buffer<cuDoubleComplex> a(std::size_t(n) * n), b(a.size()), c(a.size());
  for (auto* buffer : {&a, &b, &c}) CURLEW_CUDA_CALL(cudaMemset(buffer->data(), 0, buffer->bytes()));
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) throw ResourceError("cuBLAS cannot be started");
  const cuDoubleComplex one{1, 0}, zero{0, 0};
  bool failed = false;
  const double seconds = device_seconds(repeat, [&] {
    failed |= cublasZgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a.data(), n, b.data(), n, &zero,
                          c.data(), n) != CUBLAS_STATUS_SUCCESS;
  });
  cublasDestroy(handle);
  if (failed) throw NumericalError("cublasZgemm failed");
  return 8.0 * n * n * n / seconds;
}

void measure_launches(int repeat, DeviceLimits& limits) {
  const int many = 1000;
  limits.launch_s = device_seconds(repeat,
                                   [&] {
                                     for (int i = 0; i < many; ++i) empty_kernel<<<1, 1>>>();
                                     CURLEW_CHECK_LAUNCH("empty");
                                   }) /
                    many;
  const Timer timer;
  for (int i = 0; i < many; ++i) {
    empty_kernel<<<1, 1>>>();
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
  }
  limits.round_trip_s = timer.seconds() / many;
}

}  // namespace

DeviceLimits measure_device_limits(int repeat) {
  require_device_memory(std::size_t(2) << 30, "em-bench limits");
  DeviceLimits limits{};
  measure_memory(repeat, limits);
  limits.fma32_flops = measure_fma<float>(repeat);
  limits.fma64_flops = measure_fma<double>(repeat);
  limits.special_per_s = measure_sines(repeat);
  limits.zgemm_flops = measure_zgemm(repeat);
  measure_launches(repeat, limits);
  return limits;
}

}  // namespace curlew::bench
