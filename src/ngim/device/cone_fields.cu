// SPDX-License-Identifier: BSD-3-Clause
// Fields of the observers straight from the cones.

#include "ngim/device/cone_sources.cuh"
#include "ngim/device/cones.cuh"
#include "ngim/device/currents.cuh"

namespace curlew::ngim::device {
namespace {

/// Fields of the targets straight from the cones. One block per leaf, a thread per target.
template <bool gradient, int C, class T>
__global__ __launch_bounds__(cone_block) void cones_to_targets(View<T> view, Kernel<T> kernel) {
  constexpr int parts = gradient ? 8 : 2;
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  for (int chunk = 0; chunk < box.num_targets; chunk += cone_block) {
    const int t = chunk + threadIdx.x;
    const Point<T> at = view.targets[box.target_begin + min(t, box.num_targets - 1)];
    Sum<T> sum[C];
    for_cone_sources(view, Index(blockIdx.x), [&](int l, Index source) {
      const LevelCones<T>& level = view.cones[l];
      add_cone<gradient, C, T>(level, source - level.first_box,
                               relative_place({at.x, at.y, at.z}, shift_between<T>(box, view.boxes[source]),
                                              inverse_side_of<T>(l)),
                               side_of<T>(l), kernel, sum);
    });
    if (t >= box.num_targets) continue;
    for (int v = 0; v < C * parts; ++v)
      view.fields[v * view.num_targets + box.target_begin + t] += sum[v / parts].v[v % parts];
  }
}

/// Fields of the skeletons of the first level with grids. A block per box and cone_block nodes.
template <int C, class T>
__global__ __launch_bounds__(cone_block) void cones_to_skeletons(View<T> view, Kernel<T> kernel) {
  const Index b = view.first_grid_begin + Index(blockIdx.x);
  const DeviceBox box = view.boxes[b];
  if (!takes_cones_by_skeleton(view, box)) return;
  const int rank = view.levels[view.first_grid_level].rank, r = int(blockIdx.y) * cone_block + threadIdx.x;
  const Vec3<T> at = skeleton_place(view, min(r, rank - 1));
  Sum<T> sum[C];
  for_cone_sources_above(view, b, [&](int l, Index source) {
    const LevelCones<T>& level = view.cones[l];
    add_cone<false, C, T>(
        level, source - level.first_box,
        relative_place(at, shift_between<T>(box, view.boxes[source]), inverse_side_of<T>(l)), side_of<T>(l),
        kernel, sum);
  });
  if (r >= rank) return;
  complex<T>* incoming = view.incoming + Offset(box.grid) * view.rows + r;
  for (int c = 0; c < C; ++c) incoming[c * view.grid_values] += complex<T>(sum[c].v[0], sum[c].v[1]);
}

}  // namespace

template <class T>
void Cones<T>::add_to_grids(const Evaluation<T>& e, cudaStream_t stream) const {
  const Index boxes = e.view.first_grid_end - e.view.first_grid_begin;
  if (levels_.size() <= 2 || boxes == 0) return;
  dispatch_vectors(e.num_vectors, [&](auto vectors) {
    cones_to_skeletons<decltype(vectors)::value, T>
        <<<dim3(unsigned(boxes), cuda::blocks_for(e.view.rows, cone_block)), cone_block, 0, stream>>>(
            e.view, e.kernel);
  });
  CURLEW_CHECK_LAUNCH("cones_to_skeletons");
}

template <class T>
void Cones<T>::add_fields(const Evaluation<T>& e, cudaStream_t stream) const {
  if (levels_.size() <= 2 || e.view.num_leaves == 0) return;
  if (e.currents) {
    cones_to_targets<false, current_vectors, T>
        <<<unsigned(e.view.num_leaves), cone_block, 0, stream>>>(e.view, e.kernel);
    return CURLEW_CHECK_LAUNCH("cones_to_targets");
  }
  dispatch_shape(e.num_vectors, e.gradient, [&](auto vectors, auto gradient) {
    cones_to_targets<decltype(gradient)::value, decltype(vectors)::value, T>
        <<<unsigned(e.view.num_leaves), cone_block, 0, stream>>>(e.view, e.kernel);
  });
  CURLEW_CHECK_LAUNCH("cones_to_targets");
}

template void Cones<float>::add_to_grids(const Evaluation<float>&, cudaStream_t) const;
template void Cones<double>::add_to_grids(const Evaluation<double>&, cudaStream_t) const;
template void Cones<float>::add_fields(const Evaluation<float>&, cudaStream_t) const;
template void Cones<double>::add_fields(const Evaluation<double>&, cudaStream_t) const;

}  // namespace curlew::ngim::device
