// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the kernels of the cones: the source boxes of a leaf, and the position of a sample.

#include "ngim/device/cone_point.cuh"

namespace curlew::ngim::device {

inline constexpr int cone_block = 64;  // threads of a block that works on one leaf

/// Whether the cones reach a box of the first level with grids by its skeleton instead of its targets, whose
/// fields then come down the tree: where that is fewer points.
template <class T>
__device__ __forceinline__ bool takes_cones_by_skeleton(const View<T>& view, const DeviceBox& box) {
  return box.num_targets > view.levels[view.first_grid_level].rank;
}

/// The source boxes whose cones box b and its ancestors evaluate, in shared memory: the interaction list of
/// one at a time. f(level, source box) is called by all threads of the block.
template <class T, class F>
__device__ __forceinline__ void for_cone_sources_above(const View<T>& view, Index first, F&& f) {
  __shared__ Index list[216];
  __shared__ int count;
  for (Index b = first; view.boxes[b].level >= 2; b = view.boxes[b].parent) {
    const DeviceBox box = view.boxes[b];
    if (box.level >= view.first_grid_level) continue;
    __syncthreads();
    if (threadIdx.x < 32) {
      int n = 0;
      for (int o = threadIdx.x; o < 224; o += 32) {
        Index source = no_box;
        if (o < 216) {
          const Index uncle = view.colleagues[Offset(box.parent) * 27 + o / 8];
          if (uncle != no_box) source = view.children[Offset(uncle) * 8 + o % 8];
        }
        bool far = source != no_box && view.boxes[source].num_sources > 0;
        for (int i = 0; far && i < 27; ++i) far = view.colleagues[Offset(b) * 27 + i] != source;
        const unsigned votes = __ballot_sync(0xffffffffu, far);
        if (far) list[n + __popc(votes & ((1u << threadIdx.x) - 1))] = source;
        n += __popc(votes);
      }
      if (threadIdx.x == 0) count = n;
    }
    __syncthreads();
    for (int i = 0; i < count; ++i) f(box.level, list[i]);
  }
}

/// The same of a leaf's targets, with smaller boxes beside it.
template <class T, class F>
__device__ __forceinline__ void for_cone_sources(const View<T>& view, Index leaf_number, F&& f) {
  const Index leaf = view.leaves[leaf_number];
  Index top = leaf;
  while (view.boxes[top].level > view.first_grid_level) top = view.boxes[top].parent;
  if (view.boxes[top].level < view.first_grid_level || !takes_cones_by_skeleton(view, view.boxes[top]))
    for_cone_sources_above(view, leaf, f);
  for (Offset l = view.from_offsets[leaf_number]; l < view.from_offsets[leaf_number + 1]; ++l) {
    const Index source = view.from[l];
    if (view.boxes[source].level < view.first_grid_level) f(view.boxes[source].level, source);
  }
}

/// Skeleton node r of a box of the first level with grids, relative to its centre.
template <class T>
__device__ __forceinline__ Vec3<T> skeleton_place(const View<T>& view, int r) {
  const T* p = view.skeleton + Offset(view.first_grid_level) * 3 * view.rows;
  return {p[r], p[view.rows + r], p[2 * view.rows + r]};
}

/// Sample i of a level: its box and its place from the centre of that.
template <class T>
struct ConeSample {
  Index box_number;
  DeviceBox box;
  Vec3<T> place;

  __device__ ConeSample(const View<T>& view, int l, Offset i) {
    const LevelCones<T>& level = view.cones[l];
    const int num = level.grid.num_samples(), slot = int(i / num);
    box_number = level.slot_box[slot];
    box = view.boxes[box_number];
    place = sample_place(level.grid, level.segments[slot], int(i % num), side_of<T>(l));
  }
};

}  // namespace curlew::ngim::device
