// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Interaction lists by offset: the children of its parent's 27 colleagues without the adjacent boxes.

#include "ngim/device/view.cuh"

namespace curlew::ngim::device {

inline constexpr int num_octant_offsets = 216;  ///< children of the parent's 27 colleagues

/// Offset source - target of octant o of colleague u of the target's parent; false: the boxes are adjacent.
__device__ __forceinline__ bool octant_offset(int o, int target_octant, int& index) {
  const int uncle = o / 8, octant = o % 8;
  const int dx = 2 * (uncle % 3 - 1) + (octant & 1) - (target_octant & 1),
            dy = 2 * (uncle / 3 % 3 - 1) + (octant >> 1 & 1) - (target_octant >> 1 & 1),
            dz = 2 * (uncle / 9 - 1) + (octant >> 2) - (target_octant >> 2);
  index = (dx + 3) + 7 * (dy + 3) + 49 * (dz + 3);
  return dx * dx > 1 || dy * dy > 1 || dz * dz > 1;
}

/// The grid of a target's source at offset o, or no_box; adjacent boxes of the target are included.
template <class T>
__device__ __forceinline__ Index source_at(const View<T>& view, Index target, int o) {
  const Index box = view.colleagues[Offset(view.boxes[target].parent) * 27 + o / 8];
  const Index source = box == no_box ? no_box : view.children[Offset(box) * 8 + o % 8];
  if (source == no_box || view.boxes[source].num_sources == 0) return no_box;
  return view.boxes[source].grid;
}

}  // namespace curlew::ngim::device
