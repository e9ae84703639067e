// SPDX-License-Identifier: BSD-3-Clause
// All pairs on the GPU: kernels and launches. Instructions of a pair in double precision: about 80 for K and
// 72 for each right-hand side; bytes do not count, as a thread keeps its observer and its sums in registers
// and a block shares the sources.

#include <algorithm>

#include "base/complex.hpp"
#include "base/cuda.hpp"
#include "fields/radiation_device.hpp"
#include "green/surface_pair.hpp"

namespace curlew::fields {

namespace {

constexpr int block_size = 128;
constexpr int lanes = RadiationSources::lanes;
constexpr int values = RadiationSources::values;
constexpr int tile_blocks = 8;  // of `lanes` sources, in shared memory at a time
constexpr int tile = tile_blocks * lanes;
constexpr int most_columns = 5;  // right-hand sides whose sums fit into a thread's registers with K

struct Job {
  const double* observers;  // [3, m] in units of 1/k
  Offset num_observers;
  const double* positions;  // [blocks, 3, lanes] in units of 1/k
  const double* currents;   // [blocks, count, values, lanes]
  int num_blocks;
  int blocks_per_split;  // a multiple of tile_blocks
  int count, first;      // right-hand sides in all, the first of this launch
  double* partial;       // [splits, R, values, m]
};

/// Sources of one tile with R right-hand sides, one after another; sources past the end are zero.
template <int R>
__device__ void load_tile(const Job& job, int first_block, double (*shared)[4 + values * R]) {
  for (int i = threadIdx.x; i < tile * (3 + values * R); i += block_size) {
    const int value = i / tile, source = i % tile;
    const int block = first_block + source / lanes, lane = source % lanes;
    const bool exists = block < job.num_blocks;
    if (value < 3) {
      shared[source][value] = exists ? job.positions[(Offset(block) * 3 + value) * lanes + lane] : 0.0;
    } else {
      const int rhs = (value - 3) / values, component = (value - 3) % values;
      const Offset at = ((Offset(block) * job.count + job.first + rhs) * values + component) * lanes + lane;
      shared[source][1 + value] = exists ? job.currents[at] : 0.0;  // pairs of values aligned to 16 bytes
    }
  }
}

/// One observer per thread, a part of the sources per block row.
template <int R>
__global__ __launch_bounds__(block_size) void all_pairs(Job job) {
  __shared__ __align__(16) double shared[tile][4 + values * R];
  const Offset observer = Offset(blockIdx.x) * block_size + threadIdx.x;
  const Offset m = job.num_observers;
  const Offset at = observer < m ? observer : m - 1;
  const Vec3<double> r{job.observers[at], job.observers[m + at], job.observers[2 * m + at]};
  double plus[R][6] = {}, minus[R][6] = {};
  const int begin = int(blockIdx.y) * job.blocks_per_split;
  const int end = min(begin + job.blocks_per_split, job.num_blocks);
  for (int b = begin; b < end; b += tile_blocks) {
    __syncthreads();
    load_tile<R>(job, b, shared);
    __syncthreads();
#pragma unroll 1
    for (int s = 0; s < tile; ++s) {
      const double* source = shared[s];
      const auto pair =
          green::surface_pair<double>(Vec3<double>{r.x - source[0], r.y - source[1], r.z - source[2]}, 1.0);
#pragma unroll
      for (int c = 0; c < R; ++c)
        green::add_surface_pair(pair, source + 4 + c * values, source + 10 + c * values, plus[c], minus[c]);
    }
  }
  if (observer >= m) return;
  for (int c = 0; c < R; ++c) {
    double* to = job.partial + (Offset(blockIdx.y) * R + c) * values * m + observer;
    for (int i = 0; i < 6; ++i) to[i * m] = plus[c][i];
    for (int i = 0; i < 6; ++i) to[(6 + i) * m] = minus[c][i];
  }
}

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

template <int R>
void launch(const Job& job, int splits) {
  const auto blocks = unsigned((job.num_observers + block_size - 1) / block_size);
  all_pairs<R><<<dim3(blocks, unsigned(splits)), block_size>>>(job);
  CURLEW_CHECK_LAUNCH("all_pairs");
}

void launch(const Job& job, int splits, int columns) {
  switch (columns) {
    case 1:
      return launch<1>(job, splits);
    case 2:
      return launch<2>(job, splits);
    case 3:
      return launch<3>(job, splits);
    case 4:
      return launch<4>(job, splits);
    default:
      return launch<5>(job, splits);
  }
}

}  // namespace

struct DeviceRadiation::Impl {
  double k;
  Offset m;
  cuda::Buffer<double> observers, positions, currents, partial;
  cuda::Buffer<Vec3<complex<double>>> e, curl;
  int multiprocessors;
  cudaEvent_t begin = nullptr, end = nullptr;
  double seconds = 0;
};

DeviceRadiation::DeviceRadiation(const std::vector<Vec3<double>>& observers, double k)
    : impl_(new Impl{k, Offset(observers.size()), {}, {}, {}, {}, {}, {}, device_info().multiprocessors}) {
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
  // Enough blocks for some twenty rounds of the machine, so that the last one costs little.
  const int columns = std::min(count, most_columns);
  const Offset observer_blocks = (s.m + block_size - 1) / block_size;
  const Offset wanted = Offset(80) * s.multiprocessors;
  const int most_splits = std::max(1, (num_blocks + 4 * tile_blocks - 1) / (4 * tile_blocks));
  int splits =
      int(std::clamp<Offset>((wanted + observer_blocks - 1) / observer_blocks, 1, std::min(most_splits, 64)));
  const int per_split = ((num_blocks + splits - 1) / splits + tile_blocks - 1) / tile_blocks * tile_blocks;
  splits = std::max(1, (num_blocks + per_split - 1) / per_split);
  const std::size_t needed = std::size_t(splits) * std::size_t(columns) * values * std::size_t(s.m);
  if (s.partial.size() < needed) {
    require_device_memory(needed * sizeof(double), "radiation operator");
    s.partial = cuda::Buffer<double>(needed);
  }
  CURLEW_CUDA_CALL(cudaEventRecord(s.begin));
  for (int first = 0; first < count; first += most_columns) {
    const int now = std::min(most_columns, count - first);
    const Job job{
        s.observers.data(), s.m, s.positions.data(), s.currents.data(), num_blocks, per_split, count, first,
        s.partial.data()};
    launch(job, splits, now);
    finish<<<dim3(unsigned((s.m + 127) / 128), unsigned(now)), 128>>>(s.partial.data(), splits, now, s.m, s.k,
                                                                      first, s.e.data(), s.curl.data());
    CURLEW_CHECK_LAUNCH("finish");
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
