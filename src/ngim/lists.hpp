// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pairs of boxes that interact directly or through grids. The interaction list proper (same level, parents
// adjacent, boxes not) follows from the colleagues and is not stored. Source: Cheng, Greengard and Rokhlin
// (1999), J. Comput. Phys. 155: lists 1, 3 and 4 of an adaptive tree.

#include <vector>

#include "ngim/tree.hpp"

namespace curlew::ngim {

/// Rows of box numbers, compressed: row i is values[offsets[i]] ... values[offsets[i + 1] - 1].
struct BoxLists {
  std::vector<Offset> offsets;
  std::vector<Index> values;

  std::span<const Index> row(Offset i) const {
    return {values.data() + offsets[i], std::size_t(offsets[i + 1] - offsets[i])};
  }
};

struct InteractionLists {
  BoxLists near;  ///< of leaf i of tree.leaves: source leaves summed directly
  BoxLists
      from_grids;  ///< of leaf i: smaller boxes, not adjacent, whose outgoing grids reach the leaf's points
  BoxLists to_grids;  ///< of box b: larger source leaves, not adjacent to b, summed on the incoming grid of b
};

/// @param first_grid_level boxes of this level and below have incoming grids; those above have none
/// @param grid_size values of one incoming grid by level: boxes with fewer points use direct sums
InteractionLists build_lists(const Tree& tree, int first_grid_level, const std::vector<Index>& grid_size);

/// Offset index of two boxes of one level in the interaction list: (dx + 3) + 7 (dy + 3) + 49 (dz + 3) with d
/// = source - target, each in -3 ... 3.
inline int offset_index(const Box& target, const Box& source) {
  return int(source.x - target.x + 3) + 7 * int(source.y - target.y + 3) + 49 * int(source.z - target.z + 3);
}
inline constexpr int num_offsets = 343;

/// Calls f(source, offset index) for the interaction list of box t. Only boxes with sources.
template <class F>
void for_interaction_list(const Tree& tree, Index t, F&& f) {
  const Box& target = tree.boxes[t];
  if (target.parent == no_box) return;
  for (const Index uncle : tree.colleagues[target.parent]) {
    if (uncle == no_box) continue;
    for (const Index s : tree.boxes[uncle].children) {
      if (s == no_box || tree.boxes[s].num_sources() == 0) continue;
      const Box& source = tree.boxes[s];
      const int dx = int(source.x - target.x), dy = int(source.y - target.y), dz = int(source.z - target.z);
      if (dx * dx <= 1 && dy * dy <= 1 && dz * dz <= 1) continue;
      f(s, (dx + 3) + 7 * (dy + 3) + 49 * (dz + 3));
    }
  }
}

}  // namespace curlew::ngim
