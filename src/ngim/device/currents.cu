// SPDX-License-Identifier: BSD-3-Clause
// Stages that read the sources, for point currents on the device: near field, currents to grids, points of
// larger leaves to skeletons. All other stages use six charge vectors.

#include <algorithm>

#include "base/cuda.hpp"
#include "ngim/device/chebyshev.cuh"
#include "ngim/device/currents.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int near_block = 128, most_grid_block = 512, skeleton_block = 64;
constexpr int chunk_size = 32;            // sources whose basis functions are in shared memory
constexpr Index most_space_blocks = 264;  // whose moments are in global memory: two per multiprocessor

/// Near field: one block per leaf, a thread per target, sources in tiles. Limited by double-precision
/// arithmetic.
template <class T>
__global__ __launch_bounds__(near_block) void near_currents(View<T> view, T k) {
  __shared__ CurrentSource<T> tile[near_block];
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  const Offset begin = view.near_offsets[blockIdx.x], end = view.near_offsets[blockIdx.x + 1];
  for (int chunk = 0; chunk < box.num_targets; chunk += near_block) {
    const int t = chunk + int(threadIdx.x);
    const Offset i = box.target_begin + min(t, box.num_targets - 1);
    const Point<T> at = view.targets[i];
    T sum[2 * current_vectors] = {};
    for (Offset l = begin; l < end; ++l) {
      const DeviceBox& from = view.boxes[view.near[l]];
      const Vec3<T> shift = shift_between<T>(from, box);
      for (int first = 0; first < from.num_sources; first += near_block) {
        const int here = min(near_block, from.num_sources - first);
        __syncthreads();
        if (int(threadIdx.x) < here)
          tile[threadIdx.x] = current_source(view, from.source_begin + first + threadIdx.x, shift);
        __syncthreads();
        if (t < box.num_targets)
          for (int s = 0; s < here; ++s) add_current(tile[s], at.x, at.y, at.z, k, sum);
      }
    }
    if (t < box.num_targets)
      for (int p = 0; p < 2 * current_vectors; ++p) view.fields[p * view.num_targets + i] = sum[p];
  }
}

/// Complex numbers that hold the values and basis functions of a chunk; moments and charges of a leaf.
__host__ __device__ constexpr int chunk_values(int order) {
  return 3 * chunk_size + (3 * chunk_size * order + 1) / 2;
}
__host__ __device__ constexpr int moment_values(int order) {
  return 6 * order * order * order;
}

/// T_0 ... T_{q-1} at 2x, `chunk_size` apart.
template <class T>
__device__ void basis_values(T x, int q, T* value) {
  Recurrence<T> t(2 * x);
  for (int m = 0; m < q; ++m, t.template advance<false>(2 * x)) value[m * chunk_size] = t.a;
}

/// One leaf and half (s or t): moments of three vectors, their derivatives, then the skeleton's charges.
/// @param moments [6][n], of the block
/// @param values [3][chunk] and then the basis functions [3][q][chunk], shared
template <class T>
__device__ void leaf_to_grid(const View<T>& view, const DeviceBox& box, int half, T k, complex<T>* moments,
                             complex<T>* values) {
  const LevelMatrices<T> level = view.levels[box.level];
  const int q = level.order, n = q * q * q;
  complex<T>* charges = moments + 3 * n;                     // [3][n], charges with the currents' field
  T* basis = reinterpret_cast<T*>(values + 3 * chunk_size);  // [3][q][chunk]
  const T scale = T(double(1u << box.level));
  for (int j = threadIdx.x; j < 3 * n; j += blockDim.x) moments[j] = {};
  for (int chunk = 0; chunk < box.num_sources; chunk += chunk_size) {
    const int count = min(chunk_size, box.num_sources - chunk), i = threadIdx.x;
    __syncthreads();
    if (i < count) {
      const Offset at = box.source_begin + chunk + i;
      const Point<T> p = view.sources[at];
      basis_values(p.x * scale, q, basis + i);
      basis_values(p.y * scale, q, basis + chunk_size * q + i);
      basis_values(p.z * scale, q, basis + 2 * chunk_size * q + i);
      for (int d = 0; d < 3; ++d)
        values[d * chunk_size + i] = view.charges[(half + d) * view.num_sources + at];
    }
    __syncthreads();
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
      const T *bx = basis + chunk_size * (j / (q * q)), *by = basis + chunk_size * (q + j / q % q),
              *bz = basis + chunk_size * (2 * q + j % q);
      complex<T> x = moments[j], y = moments[n + j], z = moments[2 * n + j];
      for (int s = 0; s < count; ++s) {
        const T b = bx[s] * by[s] * bz[s];
        x += b * values[s], y += b * values[chunk_size + s], z += b * values[2 * chunk_size + s];
      }
      moments[j] = x, moments[n + j] = y, moments[2 * n + j] = z;
    }
  }
  __syncthreads();
  const auto moment = [&](int i, int d) { return moments[d * n + i]; };
  const auto divergence = [&](int i) { return moment_divergence<complex<T>, T>(i, q, scale, moment); };
  for (int j = threadIdx.x; j < 3 * n; j += blockDim.x)
    charges[j] =
        current_moment<complex<T>, T>(j % n, j / n, q, scale, half == 0 ? k : -k, moment, divergence);
  __syncthreads();
  complex<T>* outgoing = view.outgoing + half * view.grid_values + Offset(box.grid) * view.rows;
  for (int r = threadIdx.x; r < view.rows; r += blockDim.x) {
    complex<T> x{}, y{}, z{};
    for (int j = 0; j < n; ++j) {
      const complex<T> m = level.to_skeleton[Offset(j) * view.rows + r];
      add_product(x, m, charges[j]), add_product(y, m, charges[n + j]), add_product(z, m, charges[2 * n + j]);
    }
    outgoing[r] = x, outgoing[view.grid_values + r] = y, outgoing[2 * view.grid_values + r] = z;
  }
}

/// Each block handles several leaves; fewer larger ones fit into the memory of a multiprocessor. Moments are
/// in shared memory, or in the view's space where they do not fit.
template <class T>
__global__ __launch_bounds__(most_grid_block) void currents_to_grids(View<T> view, T k, int most_order) {
  extern __shared__ unsigned char memory[];
  complex<T>* values = reinterpret_cast<complex<T>*>(memory);
  complex<T>* moments = values + chunk_values(most_order);
  if (view.current_space != nullptr)
    moments = view.current_space + (Offset(blockIdx.x) * 2 + blockIdx.y) * Offset(moment_values(most_order));
  for (Index l = blockIdx.x; l < view.num_leaves; l += gridDim.x) {
    const DeviceBox box = view.boxes[view.leaves[l]];
    if (box.grid < 0 || box.num_sources == 0) continue;
    __syncthreads();  // the leaf before is done
    leaf_to_grid(view, box, 3 * int(blockIdx.y), k, moments, values);
  }
}

/// Larger leaves adjacent to a box: fields of their currents at its skeleton. One block per box of the list.
template <class T>
__global__ __launch_bounds__(skeleton_block) void currents_to_skeletons(View<T> view, const Index* targets,
                                                                        T k) {
  const Index b = targets[blockIdx.x];
  const DeviceBox box = view.boxes[b];
  const T* p = view.skeleton + Offset(box.level) * 3 * view.rows;
  for (int r = threadIdx.x; r < view.levels[box.level].rank; r += blockDim.x) {
    T sum[2 * current_vectors] = {};
    for (Offset l = view.to_offsets[b]; l < view.to_offsets[b + 1]; ++l) {
      const DeviceBox& from = view.boxes[view.to[l]];
      const Vec3<T> shift = shift_between<T>(from, box);
      for (int s = 0; s < from.num_sources; ++s)
        add_current(current_source(view, from.source_begin + s, shift), p[r], p[view.rows + r],
                    p[2 * view.rows + r], k, sum);
    }
    complex<T>* incoming = view.incoming + Offset(box.grid) * view.rows + r;
    for (int v = 0; v < current_vectors; ++v)
      incoming[v * view.grid_values] += complex<T>(sum[2 * v], sum[2 * v + 1]);
  }
}

}  // namespace

template <class T>
void launch_near_currents(const Evaluation<T>& e, cudaStream_t stream) {
  if (e.view.num_leaves == 0) return;
  near_currents<T><<<unsigned(e.view.num_leaves), near_block, 0, stream>>>(e.view, e.kernel.k.re);
  CURLEW_CHECK_LAUNCH("near_currents");
}

template <class T>
std::size_t current_grid_space(int most_order, Index num_leaves) {
  int most = 0;
  CURLEW_CUDA_CALL(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  const std::size_t values = std::size_t(chunk_values(most_order)) + std::size_t(moment_values(most_order));
  if (values * sizeof(complex<T>) <= std::size_t(most)) return 0;
  return std::size_t(std::min(num_leaves, most_space_blocks)) * 2 * std::size_t(moment_values(most_order));
}

template <class T>
void launch_currents_to_grids(const Evaluation<T>& e, int most_order, cudaStream_t stream) {
  if (e.view.num_leaves == 0 || most_order == 0) return;
  const bool in_shared = e.view.current_space == nullptr;
  const int values = chunk_values(most_order) + (in_shared ? moment_values(most_order) : 0);
  const int bytes = values * int(sizeof(complex<T>));
  const int block = bytes > 110 * 1024 || !in_shared ? most_grid_block : (bytes > 32 * 1024 ? 256 : 128);
  CURLEW_CUDA_CALL(
      cudaFuncSetAttribute(currents_to_grids<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const Index blocks = in_shared ? e.view.num_leaves : std::min(e.view.num_leaves, most_space_blocks);
  currents_to_grids<T>
      <<<dim3(unsigned(blocks), 2), block, bytes, stream>>>(e.view, e.kernel.k.re, most_order);
  CURLEW_CHECK_LAUNCH("currents_to_grids");
}

template <class T>
void launch_currents_to_skeletons(const Evaluation<T>& e, const Index* targets, Offset num_targets,
                                  cudaStream_t stream) {
  if (num_targets == 0) return;
  currents_to_skeletons<T>
      <<<unsigned(num_targets), skeleton_block, 0, stream>>>(e.view, targets, e.kernel.k.re);
  CURLEW_CHECK_LAUNCH("currents_to_skeletons");
}

#define CURLEW_INSTANTIATE(T)                                                      \
  template void launch_near_currents(const Evaluation<T>&, cudaStream_t);          \
  template std::size_t current_grid_space<T>(int, Index);                          \
  template void launch_currents_to_grids(const Evaluation<T>&, int, cudaStream_t); \
  template void launch_currents_to_skeletons(const Evaluation<T>&, const Index*, Offset, cudaStream_t);
CURLEW_INSTANTIATE(float)
CURLEW_INSTANTIATE(double)

}  // namespace curlew::ngim::device
