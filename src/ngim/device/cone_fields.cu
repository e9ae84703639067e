// SPDX-License-Identifier: BSD-3-Clause
// Fields of the observers straight from the cones.

#include "ngim/device/cone_sources.cuh"
#include "ngim/device/cones.cuh"
#include "ngim/device/currents.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int slices = 8, targets_together = 32, target_chunks = 2;
constexpr int skeleton_block = 64;

/// Fields of the targets straight from the cones. A block per leaf, C vectors and every second chunk of 32
/// targets: few leaves have cones, and those have many. Each warp takes every eighth of these; its lanes are
/// the targets.
template <bool gradient, int C, class T>
__global__ __launch_bounds__(slices* targets_together) void cones_to_targets(View<T> view, Kernel<T> kernel) {
  constexpr int parts = gradient ? 8 : 2, values = C * parts;
  __shared__ T partial[slices][values][targets_together];
  const int lane = threadIdx.x % targets_together, slice = threadIdx.x / targets_together;
  const int first_vector = int(blockIdx.y) * C;
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  for (int chunk = int(blockIdx.z) * targets_together; chunk < box.num_targets;
       chunk += target_chunks * targets_together) {
    const Point<T> at = view.targets[box.target_begin + min(chunk + lane, box.num_targets - 1)];
    Sum<T> sum[1][C];
    int number = 0;
    for_cone_sources(view, Index(blockIdx.x), [&](int l, Index source) {
      if (number++ % slices != slice) return;
      const LevelCones<T>& level = view.cones[l];
      const Vec3<T> d = relative_place({at.x, at.y, at.z}, shift_between<T>(box, view.boxes[source]),
                                       inverse_side_of<T>(l));
      if constexpr (gradient)
        add_cone_with_gradient<C, T>(level, source - level.first_box, d, side_of<T>(l), kernel, first_vector,
                                     int(gridDim.y) * C, sum[0]);
      else
        add_cone<1, C, T>(level, source - level.first_box, {d}, side_of<T>(l), kernel, sum);
    });
    if (number == 0) return;
    for (int v = 0; v < values; ++v) partial[slice][v][lane] = sum[0][v / parts].v[v % parts];
    __syncthreads();
    for (int v = slice; v < values && chunk + lane < box.num_targets; v += slices) {
      T all = 0;
      for (int i = 0; i < slices; ++i) all += partial[i][v][lane];
      view.fields[(first_vector * parts + v) * view.num_targets + box.target_begin + chunk + lane] += all;
    }
    __syncthreads();
  }
}

/// Fields of the skeletons of the first level with grids. A block per box and skeleton_block nodes, P nodes
/// per thread.
template <int P, int C, class T>
__global__ __launch_bounds__(skeleton_block) void cones_to_skeletons(View<T> view, Kernel<T> kernel) {
  const Index b = view.first_grid_begin + Index(blockIdx.x);
  const DeviceBox box = view.boxes[b];
  if (!takes_cones_by_skeleton(view, box)) return;
  const int rank = view.levels[view.first_grid_level].rank,
            first = (int(blockIdx.y) * skeleton_block + int(threadIdx.x)) * P;
  Vec3<T> at[P];
  for (int p = 0; p < P; ++p) at[p] = skeleton_place(view, min(first + p, rank - 1));
  Sum<T> sum[P][C];
  for_cone_sources_above(view, b, [&](int l, Index source) {
    const LevelCones<T>& level = view.cones[l];
    const Vec3<T> shift = shift_between<T>(box, view.boxes[source]);
    Vec3<T> d[P];
    for (int p = 0; p < P; ++p) d[p] = relative_place(at[p], shift, inverse_side_of<T>(l));
    add_cone<P, C, T>(level, source - level.first_box, d, side_of<T>(l), kernel, sum);
  });
  complex<T>* incoming = view.incoming + Offset(box.grid) * view.rows;
  for (int p = 0; p < P && first + p < rank; ++p)
    for (int c = 0; c < C; ++c)
      incoming[c * view.grid_values + first + p] += complex<T>(sum[p][c].v[0], sum[p][c].v[1]);
}

}  // namespace

template <class T>
void Cones<T>::add_to_grids(const Evaluation<T>& e, cudaStream_t stream) const {
  const Index boxes = e.view.first_grid_end - e.view.first_grid_begin;
  if (levels_.size() <= 2 || boxes == 0) return;
  dispatch_vectors(e.num_vectors, [&](auto vectors) {
    constexpr int points = points_together<T>;
    const dim3 grid(unsigned(boxes), cuda::blocks_for(e.view.rows, skeleton_block * points));
    cones_to_skeletons<points, decltype(vectors)::value, T>
        <<<grid, skeleton_block, 0, stream>>>(e.view, e.kernel);
  });
  CURLEW_CHECK_LAUNCH("cones_to_skeletons");
}

template <class T>
void Cones<T>::add_fields(const Evaluation<T>& e, cudaStream_t stream) const {
  if (levels_.size() <= 2 || e.view.num_leaves == 0) return;
  const auto launch = [&](auto* kernel, int vectors_together) {
    const dim3 grid(unsigned(e.view.num_leaves), unsigned(e.num_vectors / vectors_together), target_chunks);
    kernel<<<grid, slices * targets_together, 0, stream>>>(e.view, e.kernel);
  };
  if (e.currents)
    launch(cones_to_targets<false, current_vectors, T>, current_vectors);
  else if (e.gradient && e.num_vectors > 1)
    launch(cones_to_targets<true, gradient_vectors<T>, T>, gradient_vectors<T>);
  else if (e.gradient)
    launch(cones_to_targets<true, 1, T>, 1);
  else
    dispatch_vectors(e.num_vectors, [&](auto vectors) {
      launch(cones_to_targets<false, decltype(vectors)::value, T>, decltype(vectors)::value);
    });
  CURLEW_CHECK_LAUNCH("cones_to_targets");
}

template void Cones<float>::add_to_grids(const Evaluation<float>&, cudaStream_t) const;
template void Cones<double>::add_to_grids(const Evaluation<double>&, cudaStream_t) const;
template void Cones<float>::add_fields(const Evaluation<float>&, cudaStream_t) const;
template void Cones<double>::add_fields(const Evaluation<double>&, cudaStream_t) const;

}  // namespace curlew::ngim::device
