// SPDX-License-Identifier: BSD-3-Clause
// Leaves adjacent to boxes of other levels, on the device: points and skeletons interact directly.

#include "base/cuda.hpp"
#include "ngim/current_moments.hpp"
#include "ngim/device/stages.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int block_size = 64;

/// Smaller boxes adjacent to a leaf: fields of their skeletons at its targets. One block per leaf, 64 targets
/// and C vectors, which share the distances.
template <Wave W, bool gradient, int C, class T>
__global__ __launch_bounds__(block_size) void skeletons_to_points(View<T> view, Kernel<T> kernel) {
  __shared__ Point<T> place[block_size];
  __shared__ complex<T> charge[block_size][C];
  constexpr int parts = gradient ? 8 : 2;
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  const Offset begin = view.from_offsets[blockIdx.x], end = view.from_offsets[blockIdx.x + 1];
  if (begin == end) return;
  const complex<T>* outgoing = view.outgoing + blockIdx.y * C * view.grid_values;
  T* fields = view.fields + blockIdx.y * C * parts * view.num_targets;
  for (int chunk = int(blockIdx.z) * block_size; chunk < box.num_targets; chunk += gridDim.z * block_size) {
    const int t = chunk + int(threadIdx.x);
    const Offset i = box.target_begin + min(t, box.num_targets - 1);
    const Point<T> at = view.targets[i];
    Sum<T> sum[C];
    for (Offset l = begin; l < end; ++l) {
      const DeviceBox& from = view.boxes[view.from[l]];
      if (from.level < view.first_grid_level) continue;  // its cones take the targets
      const T* p = view.skeleton + Offset(from.level) * 3 * view.rows;
      const Vec3<T> shift = shift_between<T>(box, from);
      const T x = at.x + shift.x, y = at.y + shift.y, z = at.z + shift.z;
      const int rank = view.levels[from.level].rank;
      for (int first = 0; first < rank; first += block_size) {
        const int here = min(block_size, rank - first), r = first + int(threadIdx.x);
        __syncthreads();
        if (r < rank) {
          place[threadIdx.x] = {p[r], p[view.rows + r], p[2 * view.rows + r], T(0)};
          for (int c = 0; c < C; ++c)
            charge[threadIdx.x][c] = outgoing[c * view.grid_values + Offset(from.grid) * view.rows + r];
        }
        __syncthreads();
        for (int s = 0; s < here; ++s)
          add_pair<W, gradient, true, false, C, T>(sum, x - place[s].x, y - place[s].y, z - place[s].z,
                                                   charge[s], kernel);
      }
    }
    if (t >= box.num_targets) continue;
    for (int v = 0; v < C * parts; ++v) fields[v * view.num_targets + i] += sum[v / parts].v[v % parts];
  }
}

constexpr int slices = 4;  // of the sources, one warp per slice

/// Larger leaves adjacent to a box: fields of their sources at its skeleton. One block per box of the list
/// and C vectors, which share the distances; lanes are nodes of the skeleton, warps divide the sources.
template <Wave W, int C, class T>
__global__ __launch_bounds__(32 * slices) void points_to_skeletons(View<T> view, const Index* targets,
                                                                   Kernel<T> kernel) {
  __shared__ complex<T> partial[slices][C][32];
  const Index b = targets[blockIdx.x];
  const DeviceBox box = view.boxes[b];
  const T* p = view.skeleton + Offset(box.level) * 3 * view.rows;
  const complex<T>* charges = view.charges + Offset(blockIdx.y) * C * view.num_sources;
  complex<T>* incoming =
      view.incoming + Offset(blockIdx.y) * C * view.grid_values + Offset(box.grid) * view.rows;
  const int lane = threadIdx.x % 32, slice = threadIdx.x / 32, rank = view.levels[box.level].rank;
  for (int first = 0; first < rank; first += 32) {
    const int r = min(first + lane, rank - 1);
    Sum<T> sum[C];
    for (Offset l = view.to_offsets[b]; l < view.to_offsets[b + 1]; ++l) {
      const DeviceBox& from = view.boxes[view.to[l]];
      const Vec3<T> shift = shift_between<T>(box, from);
      const T x = p[r] + shift.x, y = p[view.rows + r] + shift.y, z = p[2 * view.rows + r] + shift.z;
      for (int s = slice; s < from.num_sources; s += slices) {
        const Point<T> at = view.sources[from.source_begin + s];
        complex<T> q[C];
        for (int c = 0; c < C; ++c) q[c] = charges[c * view.num_sources + from.source_begin + s];
        add_pair<W, false, true, false, C, T>(sum, x - at.x, y - at.y, z - at.z, q, kernel);
      }
    }
    for (int c = 0; c < C; ++c) partial[slice][c][lane] = {sum[c].v[0], sum[c].v[1]};
    __syncthreads();
    for (int c = slice; c < C && first + lane < rank; c += slices) {
      complex<T> all{};
      for (int i = 0; i < slices; ++i) all += partial[i][c][lane];
      incoming[c * view.grid_values + r] += all;
    }
    __syncthreads();
  }
}

}  // namespace

template <class T>
void launch_skeletons_to_points(const Evaluation<T>& e, cudaStream_t stream) {
  if (e.view.num_leaves == 0) return;
  dispatch_wave<T, false>(e.far_wave, [&](auto wave) {
    constexpr Wave W = decltype(wave)::value;
    constexpr int leaf_parts = 4;
    const auto launch = [&](auto together, auto gradient) {
      constexpr int C = decltype(together)::value;
      const dim3 grid(unsigned(e.view.num_leaves), unsigned(e.num_vectors / C), leaf_parts);
      skeletons_to_points<W, decltype(gradient)::value, C, T>
          <<<grid, block_size, 0, stream>>>(e.view, e.kernel);
    };
    if (e.currents)
      launch(std::integral_constant<int, current_vectors>(), std::false_type());
    else if (e.gradient && e.num_vectors > 1)
      launch(std::integral_constant<int, gradient_vectors<T>>(), std::true_type());
    else if (e.gradient)
      launch(std::integral_constant<int, 1>(), std::true_type());
    else if (e.num_vectors > 1)
      launch(std::integral_constant<int, most_vectors>(), std::false_type());
    else
      launch(std::integral_constant<int, 1>(), std::false_type());
  });
  CURLEW_CHECK_LAUNCH("skeletons_to_points");
}

template <class T>
void launch_points_to_skeletons(const Evaluation<T>& e, const Index* targets, Offset num_targets,
                                cudaStream_t stream) {
  if (num_targets == 0) return;
  dispatch_wave<T, false>(e.far_wave, [&](auto wave) {
    dispatch_number<1, most_vectors>(e.num_vectors, [&](auto together) {
      constexpr int C = decltype(together)::value;
      points_to_skeletons<decltype(wave)::value, C, T>
          <<<dim3(unsigned(num_targets), e.num_vectors / C), 32 * slices, 0, stream>>>(e.view, targets,
                                                                                       e.kernel);
    });
  });
  CURLEW_CHECK_LAUNCH("points_to_skeletons");
}

#define CURLEW_INSTANTIATE(T)                                                   \
  template void launch_skeletons_to_points(const Evaluation<T>&, cudaStream_t); \
  template void launch_points_to_skeletons(const Evaluation<T>&, const Index*, Offset, cudaStream_t);
CURLEW_INSTANTIATE(float)
CURLEW_INSTANTIATE(double)

}  // namespace curlew::ngim::device
