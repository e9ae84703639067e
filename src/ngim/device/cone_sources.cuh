// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the kernels of the cones share: the boxes that a leaf meets through them, and the place of a sample.

#include "ngim/device/cone_point.cuh"

namespace curlew::ngim::device {

inline constexpr int cone_block = 64;  // threads of a block that works on one leaf

/// The boxes that a leaf meets through cones, in shared memory: the interaction list of one ancestor at a
/// time. f(level, source box) is called by all threads of the block.
template <class T, class F>
__device__ __forceinline__ void for_cone_sources(const View<T>& view, Index leaf_number, F&& f) {
  __shared__ Index list[216];
  __shared__ int count;
  for (Index b = view.leaves[leaf_number]; view.boxes[b].level >= 2; b = view.boxes[b].parent) {
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
  for (Offset l = view.from_offsets[leaf_number]; l < view.from_offsets[leaf_number + 1]; ++l) {
    const Index source = view.from[l];
    if (view.boxes[source].level < view.first_grid_level) f(view.boxes[source].level, source);
  }
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
