// SPDX-License-Identifier: BSD-3-Clause
// Stages 1 and 4 on the device: charges of leaves to their skeletons, incoming grids to their targets.

#include "base/cuda.hpp"
#include "ngim/device/chebyshev.cuh"
#include "ngim/device/stages.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int block_size = 64;

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

/// One block per leaf and charge vector: charges to Chebyshev sums (a thread per basis function), then to the
/// skeleton.
template <class T>
__global__ __launch_bounds__(block_size) void charges_to_grids(View<T> view) {
  extern __shared__ unsigned char memory[];
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  if (box.grid < 0 || box.num_sources == 0) return;
  const complex<T>* all_charges = view.charges + blockIdx.y * view.num_sources;
  const LevelMatrices<T> level = view.levels[box.level];
  const int q = level.order, n = q * q * q;
  complex<T>* moments = reinterpret_cast<complex<T>*>(memory);
  T* basis = reinterpret_cast<T*>(moments + n);  // [3][q][32]
  complex<T>* charges = reinterpret_cast<complex<T>*>(basis + 96 * q);
  for (int j = threadIdx.x; j < n; j += blockDim.x) moments[j] = {};
  const T scale = T(double(1u << box.level));
  for (int chunk = 0; chunk < box.num_sources; chunk += 32) {
    const int count = min(32, box.num_sources - chunk), i = threadIdx.x;
    __syncthreads();
    if (i < 32) {
      Point<T> s{0, 0, 0, 0};
      complex<T> charge{};
      if (i < count)
        s = view.sources[box.source_begin + chunk + i], charge = all_charges[box.source_begin + chunk + i];
      chebyshev_values(s.x * scale, q, basis + i, 32);
      chebyshev_values(s.y * scale, q, basis + 32 * q + i, 32);
      chebyshev_values(s.z * scale, q, basis + 64 * q + i, 32);
      charges[i] = charge;
    }
    __syncthreads();
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
      const T *bx = basis + 32 * (j / (q * q)), *by = basis + 32 * (q + j / q % q),
              *bz = basis + 32 * (2 * q + j % q);
      complex<T> sum = moments[j];
      for (int s = 0; s < count; ++s) sum += (bx[s] * by[s] * bz[s]) * charges[s];
      moments[j] = sum;
    }
  }
  __syncthreads();
  complex<T>* outgoing = view.outgoing + blockIdx.y * view.grid_values + Offset(box.grid) * view.rows;
  for (int r = threadIdx.x; r < view.rows; r += blockDim.x) {
    complex<T> sum{};
    for (int j = 0; j < n; ++j) add_product(sum, level.to_skeleton[Offset(j) * view.rows + r], moments[j]);
    outgoing[r] = sum;
  }
}

/// Value and gradient of a Chebyshev sum of q^3 terms; u = 2x.
template <bool gradient, class T>
__device__ void evaluate_field(const complex<T>* field, int q, T ux, T uy, T uz, complex<T> (&out)[4]) {
  Recurrence<T> x(ux);
  for (int a = 0; a < q; ++a, x.template advance<gradient>(ux)) {
    Recurrence<T> y(uy);
    for (int b = 0; b < q; ++b, y.template advance<gradient>(uy)) {
      Recurrence<T> z(uz);
      complex<T> line{}, line_z{};
      for (int c = 0; c < q; ++c, z.template advance<gradient>(uz)) {
        const complex<T> f = field[(a * q + b) * q + c];
        line += z.a * f;
        if constexpr (gradient) line_z += z.da * f;
      }
      out[0] += (x.a * y.a) * line;
      if constexpr (gradient)
        out[1] += (x.da * y.a) * line, out[2] += (x.a * y.da) * line, out[3] += (x.a * y.a) * line_z;
    }
  }
}

/// One block per leaf and charge vector: Chebyshev coefficients of its field, then a thread per target.
template <bool gradient, class T>
__global__ __launch_bounds__(block_size) void grids_to_points(View<T> view) {
  extern __shared__ unsigned char memory[];
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  if (box.grid < 0 || box.num_targets == 0) return;
  const LevelMatrices<T> level = view.levels[box.level];
  const int q = level.order, n = q * q * q;
  complex<T>* field = reinterpret_cast<complex<T>*>(memory);
  complex<T>* incoming = field + n;
  const complex<T>* values = view.incoming + blockIdx.y * view.grid_values + Offset(box.grid) * view.rows;
  for (int r = threadIdx.x; r < level.rank; r += blockDim.x) incoming[r] = values[r];
  __syncthreads();
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    complex<T> sum{};
    for (int r = 0; r < level.rank; ++r) add_product(sum, level.to_field[Offset(r) * n + j], incoming[r]);
    field[j] = sum;
  }
  __syncthreads();
  const T scale = T(double(1u << box.level));
  T* fields = view.fields + blockIdx.y * (gradient ? 8 : 2) * view.num_targets;
  for (int t = threadIdx.x; t < box.num_targets; t += blockDim.x) {
    const Offset i = box.target_begin + t;
    const Point<T> at = view.targets[i];
    complex<T> out[4] = {};
    evaluate_field<gradient, T>(field, q, 2 * scale * at.x, 2 * scale * at.y, 2 * scale * at.z, out);
    for (int p = 0; p < (gradient ? 4 : 1); ++p) {
      const T factor = p == 0 ? T(1) : scale;
      fields[(2 * p) * view.num_targets + i] += factor * out[p].re;
      fields[(2 * p + 1) * view.num_targets + i] += factor * out[p].im;
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
  const std::size_t nodes = std::size_t(most_order) * most_order * most_order;
  const std::size_t bytes = (nodes + 32) * sizeof(complex<T>) + 96 * most_order * sizeof(T);
  allow_shared(charges_to_grids<T>, bytes);
  charges_to_grids<T>
      <<<dim3(unsigned(e.view.num_leaves), e.num_vectors), block_size, bytes, stream>>>(e.view);
  CURLEW_CHECK_LAUNCH("charges_to_grids");
}

template <class T>
void launch_grids_to_points(const Evaluation<T>& e, int most_order, cudaStream_t stream) {
  if (e.view.num_leaves == 0) return;
  const std::size_t nodes = std::size_t(most_order) * most_order * most_order;
  const std::size_t bytes = (nodes + e.view.rows) * sizeof(complex<T>);
  const auto launch = [&](auto* kernel) {
    allow_shared(kernel, bytes);
    kernel<<<dim3(unsigned(e.view.num_leaves), e.num_vectors), block_size, bytes, stream>>>(e.view);
  };
  if (e.gradient)
    launch(grids_to_points<true, T>);
  else
    launch(grids_to_points<false, T>);
  CURLEW_CHECK_LAUNCH("grids_to_points");
}

#define CURLEW_INSTANTIATE(T)                                                     \
  template void launch_charges_to_grids(const Evaluation<T>&, int, cudaStream_t); \
  template void launch_grids_to_points(const Evaluation<T>&, int, cudaStream_t);
CURLEW_INSTANTIATE(float)
CURLEW_INSTANTIATE(double)

}  // namespace curlew::ngim::device
