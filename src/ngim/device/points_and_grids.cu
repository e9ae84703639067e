// SPDX-License-Identifier: BSD-3-Clause
// Stages 1 and 4 on the device: charges of leaves to their skeletons, incoming grids to their targets.

#include "base/cuda.hpp"
#include "ngim/device/chebyshev.cuh"
#include "ngim/device/stages.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int points_block = 128;
constexpr int points_together = 32;                // charges in shared memory
constexpr int basis_stride = points_together + 1;  // polynomials of one point in different banks
constexpr std::size_t most_shared = 72 * 1024;     // of a block whose vectors share matrices

template <class T>
__device__ void chebyshev_values(T x, int q, T* value, int stride) {
  const T u = 2 * x;
  T a = 1, b = u;
  for (int m = 0; m < q; ++m) {
    value[m * stride] = a;
    const T next = 2 * u * b - a;
    a = b, b = next;
  }
}

/// One block per leaf and C charge vectors: charges to Chebyshev sums (a thread per basis function), then to
/// the skeleton.
template <int C, class T>
__global__ __launch_bounds__(points_block) void charges_to_grids(View<T> view) {
  extern __shared__ unsigned char memory[];
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  if (box.grid < 0 || box.num_sources == 0) return;
  const int first = int(blockIdx.y) * C;
  const LevelMatrices<T> level = view.levels[box.level];
  const int q = level.order, n = q * q * q;
  complex<T>* moments = reinterpret_cast<complex<T>*>(memory);     // [n][C]
  complex<T>* charges = moments + n * C;                           // [points_together][C]
  T* basis = reinterpret_cast<T*>(charges + points_together * C);  // [3][q][basis_stride]
  for (int j = threadIdx.x; j < n * C; j += blockDim.x) moments[j] = {};
  const T scale = T(double(1u << box.level));
  for (int chunk = 0; chunk < box.num_sources; chunk += points_together) {
    const int count = min(points_together, box.num_sources - chunk), i = threadIdx.x;
    __syncthreads();
    if (i < count) {
      const Offset source = box.source_begin + chunk + i;
      const Point<T> s = view.sources[source];
      chebyshev_values(s.x * scale, q, basis + i, basis_stride);
      chebyshev_values(s.y * scale, q, basis + basis_stride * q + i, basis_stride);
      chebyshev_values(s.z * scale, q, basis + 2 * basis_stride * q + i, basis_stride);
      for (int c = 0; c < C; ++c) charges[i * C + c] = view.charges[(first + c) * view.num_sources + source];
    }
    __syncthreads();
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
      const T *bx = basis + basis_stride * (j / (q * q)), *by = basis + basis_stride * (q + j / q % q),
              *bz = basis + basis_stride * (2 * q + j % q);
      complex<T> sum[C];
#pragma unroll
      for (int c = 0; c < C; ++c) sum[c] = moments[j * C + c];
      for (int s = 0; s < count; ++s) {
        const T value = bx[s] * by[s] * bz[s];
#pragma unroll
        for (int c = 0; c < C; ++c) sum[c] += value * charges[s * C + c];
      }
#pragma unroll
      for (int c = 0; c < C; ++c) moments[j * C + c] = sum[c];
    }
  }
  __syncthreads();
  complex<T>* outgoing = view.outgoing + first * view.grid_values + Offset(box.grid) * view.rows;
  for (int r = threadIdx.x; r < view.rows; r += blockDim.x) {
    complex<T> sum[C] = {};
#pragma unroll 4
    for (int j = 0; j < n; ++j) {
      const complex<T> m = level.to_skeleton[Offset(j) * view.rows + r];
#pragma unroll
      for (int c = 0; c < C; ++c) add_product(sum[c], m, moments[j * C + c]);
    }
    for (int c = 0; c < C; ++c) outgoing[c * view.grid_values + r] = sum[c];
  }
}

/// Values and gradients of C Chebyshev sums, [q^3][C]; u = 2x.
template <int C, class T>
__device__ void evaluate_with_gradient(const complex<T>* field, int q, T ux, T uy, T uz,
                                       complex<T> (&out)[C][4]) {
  Recurrence<T> x(ux);
  for (int a = 0; a < q; ++a, x.template advance<true>(ux)) {
    Recurrence<T> y(uy);
    for (int b = 0; b < q; ++b, y.template advance<true>(uy)) {
      Recurrence<T> z(uz);
      complex<T> line[C] = {}, line_z[C] = {};
      for (int c = 0; c < q; ++c, z.template advance<true>(uz), field += C)
#pragma unroll
        for (int v = 0; v < C; ++v) line[v] += z.a * field[v], line_z[v] += z.da * field[v];
#pragma unroll
      for (int v = 0; v < C; ++v) {
        out[v][0] += (x.a * y.a) * line[v], out[v][1] += (x.da * y.a) * line[v];
        out[v][2] += (x.a * y.da) * line[v], out[v][3] += (x.a * y.a) * line_z[v];
      }
    }
  }
}

/// Values of C Chebyshev sums, [q^3][C], which share the polynomials.
template <int C, class T>
__device__ void evaluate_values(const complex<T>* field, int q, T ux, T uy, T uz, complex<T> (&out)[C][1]) {
  Recurrence<T> x(ux);
  for (int a = 0; a < q; ++a, x.template advance<false>(ux)) {
    Recurrence<T> y(uy);
    for (int b = 0; b < q; ++b, y.template advance<false>(uy)) {
      Recurrence<T> z(uz);
      complex<T> line[C] = {};
      for (int c = 0; c < q; ++c, z.template advance<false>(uz), field += C)
#pragma unroll
        for (int v = 0; v < C; ++v) line[v] += z.a * field[v];
#pragma unroll
      for (int v = 0; v < C; ++v) out[v][0] += (x.a * y.a) * line[v];
    }
  }
}

/// One block per leaf and C vectors: Chebyshev coefficients of their fields, then a thread per target.
template <int C, bool gradient, class T>
__global__ __launch_bounds__(points_block) void grids_to_points(View<T> view) {
  extern __shared__ unsigned char memory[];
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  if (box.grid < 0 || box.num_targets == 0) return;
  const LevelMatrices<T> level = view.levels[box.level];
  const int q = level.order, n = q * q * q, first = int(blockIdx.y) * C;
  complex<T>* field = reinterpret_cast<complex<T>*>(memory);  // [n][C]
  complex<T>* incoming = field + n * C;                       // [rank][C]
  const complex<T>* values = view.incoming + first * view.grid_values + Offset(box.grid) * view.rows;
  for (int c = 0; c < C; ++c)
    for (int r = threadIdx.x; r < level.rank; r += blockDim.x)
      incoming[r * C + c] = values[c * view.grid_values + r];
  __syncthreads();
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    complex<T> sum[C] = {};
#pragma unroll 4
    for (int r = 0; r < level.rank; ++r) {
      const complex<T> m = level.to_field[Offset(r) * n + j];
#pragma unroll
      for (int c = 0; c < C; ++c) add_product(sum[c], m, incoming[r * C + c]);
    }
    for (int c = 0; c < C; ++c) field[j * C + c] = sum[c];
  }
  __syncthreads();
  const T scale = T(double(1u << box.level));
  constexpr int parts = gradient ? 8 : 2;
  T* fields = view.fields + Offset(first) * parts * view.num_targets;
  for (int t = threadIdx.x; t < box.num_targets; t += blockDim.x) {
    const Offset i = box.target_begin + t;
    const Point<T> at = view.targets[i];
    const T x = 2 * scale * at.x, y = 2 * scale * at.y, z = 2 * scale * at.z;
    complex<T> out[C][parts / 2] = {};
    if constexpr (gradient)
      evaluate_with_gradient<C, T>(field, q, x, y, z, out);
    else
      evaluate_values<C, T>(field, q, x, y, z, out);
    for (int p = 0; p < C * parts / 2; ++p) {
      const complex<T> value = out[p / (parts / 2)][p % (parts / 2)];
      const T factor = p % (parts / 2) > 0 ? scale : T(1);
      fields[(2 * p) * view.num_targets + i] += factor * value.re;
      fields[(2 * p + 1) * view.num_targets + i] += factor * value.im;
    }
  }
}

/// Allows a kernel more than 48 KiB of shared memory, of which its static arrays take a part.
template <class K>
void allow_shared(K* kernel, std::size_t bytes) {
  if (bytes > 40 * 1024)
    CURLEW_CUDA_CALL(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
}

}  // namespace

template <class T>
void launch_charges_to_grids(const Evaluation<T>& e, int most_order, cudaStream_t stream) {
  if (e.view.num_leaves == 0) return;
  const auto bytes_of = [&](int together) {
    const std::size_t nodes = std::size_t(most_order) * most_order * most_order;
    return (nodes + points_together) * std::size_t(together) * sizeof(complex<T>) +
           std::size_t(3 * basis_stride * most_order) * sizeof(T);
  };
  const int threads = most_order < 8 ? points_block / 2 : points_block;
  const auto launch = [&](auto* kernel, int together) {
    allow_shared(kernel, bytes_of(together));
    const dim3 grid(unsigned(e.view.num_leaves), unsigned(e.num_vectors / together));
    kernel<<<grid, threads, bytes_of(together), stream>>>(e.view);
  };
  const auto may = [&](int together) {
    return e.num_vectors % together == 0 && bytes_of(together) <= most_shared;
  };
  if (may(4))
    launch(charges_to_grids<4, T>, 4);
  else if (may(2))
    launch(charges_to_grids<2, T>, 2);
  else
    launch(charges_to_grids<1, T>, 1);
  CURLEW_CHECK_LAUNCH("charges_to_grids");
}

template <class T>
void launch_grids_to_points(const Evaluation<T>& e, int most_order, cudaStream_t stream) {
  if (e.view.num_leaves == 0) return;
  const auto bytes_of = [&](int together) {
    return std::size_t(together) * std::size_t(most_order * most_order * most_order + e.view.rows) *
           sizeof(complex<T>);
  };
  const auto launch = [&](auto* kernel, int together) {
    allow_shared(kernel, bytes_of(together));
    const dim3 grid(unsigned(e.view.num_leaves), unsigned(e.num_vectors / together));
    kernel<<<grid, points_block, bytes_of(together), stream>>>(e.view);
  };
  const auto may = [&](int together) {
    return e.num_vectors % together == 0 && bytes_of(together) <= most_shared;
  };
  if (e.gradient && may(gradient_vectors<T>))
    launch(grids_to_points<gradient_vectors<T>, true, T>, gradient_vectors<T>);
  else if (e.gradient)
    launch(grids_to_points<1, true, T>, 1);
  else if (may(6))
    launch(grids_to_points<6, false, T>, 6);
  else if (may(3))
    launch(grids_to_points<3, false, T>, 3);
  else if (may(2))
    launch(grids_to_points<2, false, T>, 2);
  else
    launch(grids_to_points<1, false, T>, 1);
  CURLEW_CHECK_LAUNCH("grids_to_points");
}

#define CURLEW_INSTANTIATE(T)                                                     \
  template void launch_charges_to_grids(const Evaluation<T>&, int, cudaStream_t); \
  template void launch_grids_to_points(const Evaluation<T>&, int, cudaStream_t);
CURLEW_INSTANTIATE(float)
CURLEW_INSTANTIATE(double)

}  // namespace curlew::ngim::device
