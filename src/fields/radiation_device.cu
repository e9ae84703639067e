// SPDX-License-Identifier: BSD-3-Clause
// All pairs on the GPU: memory, division of the work, and the sum of its parts. The kernels are in
// radiation_vector.cu and radiation_tensor.cu.

#include <algorithm>
#include <cmath>

#include "base/complex.hpp"
#include "base/cuda.hpp"
#include "fields/radiation_device.hpp"
#include "fields/radiation_pair.cuh"

namespace curlew::fields {

namespace {

constexpr int values = values_per_column;

/// Adds the parts and turns k E -+ curl E into E and curl E. @param e, curl [count, m, 3]
__global__ void finish(const double* partial, int splits, int columns, Offset m, double k, int first,
                       Vec3<complex<double>>* e, Vec3<complex<double>>* curl) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  const int c = int(blockIdx.y);
  if (i >= m) return;
  double sum[values] = {};
  for (int s = 0; s < splits; ++s)
    for (int v = 0; v < values; ++v) sum[v] += partial[((Offset(s) * columns + c) * values + v) * m + i];
  // In units of 1/k the pair's matrix is K / k^3.
  const double scale = k * k * k;
  Vec3<complex<double>> a, b;
  for (int x = 0; x < 3; ++x) {
    const complex<double> p(sum[2 * x], sum[2 * x + 1]), q(sum[6 + 2 * x], sum[7 + 2 * x]);
    a[x] = (scale / (2 * k)) * (p + q);
    b[x] = (scale / 2) * (q - p);
  }
  e[Offset(first + c) * m + i] = a;
  curl[Offset(first + c) * m + i] = b;
}

std::vector<double2> phase_table() {
  std::vector<double2> table;
  for (int i = 0; i < phase_places; ++i) {
    const double angle = 2 * pi * i / phase_places;
    table.push_back({std::cos(angle), std::sin(angle)});
  }
  return table;
}

/// The kernel for what is left of the right-hand sides.
RadiationKernel kernel_for(int columns, bool has_tensor_cores) {
  return columns == 1 || !has_tensor_cores ? vector_radiation() : tensor_radiation(columns);
}

/// Enough blocks for some twenty rounds of the machine, so that the last one costs little.
int splits_for(const RadiationKernel& kernel, Offset observer_blocks, int num_tiles, int multiprocessors) {
  constexpr int rounds = 20, least_tiles = 8, most = 64;
  const Offset wanted =
      (Offset(rounds) * kernel.blocks * multiprocessors + observer_blocks - 1) / observer_blocks;
  return int(std::clamp<Offset>(wanted, 1, std::clamp(num_tiles / least_tiles, 1, most)));
}

/// A buffer of at least n values; what was in it is lost.
void reserve(cuda::Buffer<double>& buffer, std::size_t n) {
  if (buffer.size() >= n) return;
  buffer = {};
  require_device_memory(n * sizeof(double), "radiation operator");
  buffer = cuda::Buffer<double>(n);
}

}  // namespace

struct DeviceRadiation::Impl {
  double k;
  Offset m;
  int multiprocessors;
  bool has_tensor_cores;
  cuda::Buffer<double2> phases;
  cuda::Buffer<double> observers, positions, currents, rows, partial;
  cuda::Buffer<Vec3<complex<double>>> e, curl;
  cudaEvent_t begin = nullptr, end = nullptr;
  double seconds = 0;
};

DeviceRadiation::DeviceRadiation(const std::vector<Vec3<double>>& observers, double k)
    : impl_(new Impl{k,
                     Offset(observers.size()),
                     device_info().multiprocessors,
                     can_use_tensor_radiation(),
                     cuda::Buffer<double2>(phase_table()),
                     {},
                     {},
                     {},
                     {},
                     {},
                     {},
                     {}}) {
  std::vector<double> by_axis;
  for (int x = 0; x < 3; ++x)
    for (const auto& p : observers) by_axis.push_back(k * p[x]);
  impl_->observers = cuda::Buffer<double>(by_axis);
  CURLEW_CUDA_CALL(cudaEventCreate(&impl_->begin));
  CURLEW_CUDA_CALL(cudaEventCreate(&impl_->end));
}

DeviceRadiation::~DeviceRadiation() {
  cudaEventDestroy(impl_->begin);
  cudaEventDestroy(impl_->end);
}

double DeviceRadiation::kernel_seconds() const {
  return impl_->seconds;
}

void DeviceRadiation::apply(const RadiationSources& sources, NearFields& fields) {
  Impl& s = *impl_;
  const int count = sources.count(), num_blocks = int(sources.num_blocks());
  if (s.m == 0 || count == 0) return;
  std::vector<double> positions(sources.positions());
  for (double& p : positions) p *= s.k;
  s.positions = cuda::Buffer<double>(positions);
  s.currents = cuda::Buffer<double>(sources.currents());
  const std::size_t fields_size = std::size_t(count) * std::size_t(s.m);
  if (s.e.size() != fields_size) {
    s.e = cuda::Buffer<Vec3<complex<double>>>(fields_size);
    s.curl = cuda::Buffer<Vec3<complex<double>>>(fields_size);
  }
  CURLEW_CUDA_CALL(cudaEventRecord(s.begin));
  for (int first = 0; first < count;) {
    const RadiationKernel kernel = kernel_for(count - first, s.has_tensor_cores);
    const int now = std::min(kernel.columns, count - first);
    const int num_tiles = (num_blocks * source_lanes + kernel.tile - 1) / kernel.tile;
    const Offset num_rows = Offset(num_tiles) * kernel.tile;
    const Offset observer_blocks = (s.m + kernel.observers_per_block - 1) / kernel.observers_per_block;
    int splits = splits_for(kernel, observer_blocks, num_tiles, s.multiprocessors);
    const int per_split = (num_tiles + splits - 1) / splits;
    splits = (num_tiles + per_split - 1) / per_split;
    reserve(s.rows, std::size_t(num_rows) * std::size_t(kernel.row));
    reserve(s.partial, std::size_t(splits) * std::size_t(kernel.columns) * values * std::size_t(s.m));
    kernel.arrange({s.positions.data(), s.currents.data(), num_blocks, count, first}, num_rows,
                   s.rows.data());
    const RadiationJob job{s.phases.data(), s.observers.data(), s.m, s.rows.data(), num_tiles,
                           per_split,       s.partial.data()};
    kernel.launch(job, unsigned(observer_blocks), unsigned(splits));
    finish<<<dim3(unsigned((s.m + 127) / 128), unsigned(now)), 128>>>(
        s.partial.data(), splits, kernel.columns, s.m, s.k, first, s.e.data(), s.curl.data());
    CURLEW_CHECK_LAUNCH("finish");
    first += now;
  }
  CURLEW_CUDA_CALL(cudaEventRecord(s.end));
  CURLEW_CUDA_CALL(cudaEventSynchronize(s.end));
  float milliseconds = 0;
  CURLEW_CUDA_CALL(cudaEventElapsedTime(&milliseconds, s.begin, s.end));
  s.seconds = 1e-3 * milliseconds;
  s.e.download(reinterpret_cast<Vec3<complex<double>>*>(fields.e.data()));
  s.curl.download(reinterpret_cast<Vec3<complex<double>>*>(fields.curl.data()));
}

}  // namespace curlew::fields
