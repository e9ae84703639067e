// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adds lines of an element matrix to rows of a CSR matrix whose pattern is described by sparsity.hpp.
// Included by assembly.cpp only.

#include <cstdint>

#include "base/types.hpp"
#include "fem/reference_tensors.hpp"
#include "fem/sparsity.hpp"

namespace curlew::fem {

/// Offsets, in a row of an entity, of the runs of each level and kind, and their numbers of neighbours.
struct RowShape {
  RowCounts count;
  Index edges2, faces2, edges3, faces3, cells3;
  explicit RowShape(const RowCounts& n)
      : count(n),
        edges2(n.edges[0]),
        faces2(edges2 + n.edges[1]),
        edges3(faces2 + 2 * n.faces[1]),
        faces3(edges3 + n.edges[2]),
        cells3(faces3 + 4 * n.faces[2]) {}
};

/// row[...] += line[0..dim), the line in the order of places of reference_tensors.hpp.
/// @tparam Uniform all cells have the same order: neighbours of one level have unknowns of all
/// @tparam Rotational leave out the gradients' columns, whose entries are zero
/// @param position [num_local_entities] of the row's entity
template <int Order, bool Uniform, bool Rotational, class T, class L>
inline void add_line(T* row, const RowShape& shape, const std::uint16_t* position, const L* line) {
  constexpr int rotational = num_rotational(Order);
  const auto is_beyond = [](Index p, Index count) { return !Uniform && p >= count; };
  for (int e = 0; e < 6; ++e) {
    const Index p = position[e];
    if (p == Sparsity::absent) continue;
    row[p] += line[e];
    if constexpr (Order >= 2 && !Rotational) {
      if (is_beyond(p, shape.count.edges[1])) continue;
      row[shape.edges2 + p] += line[rotational + e];
    }
    if constexpr (Order == 3 && !Rotational) {
      if (is_beyond(p, shape.count.edges[2])) continue;
      row[shape.edges3 + p] += line[rotational + 6 + e];
    }
  }
  if constexpr (Order >= 2)
    for (int f = 0; f < 4; ++f) {
      const Index p = position[6 + f];
      if (p == Sparsity::absent || is_beyond(p, shape.count.faces[1])) continue;
      T* run = row + shape.faces2 + 2 * p;
      for (int i = 0; i < 2; ++i) run[i] += line[6 + 2 * f + i];
      if constexpr (Order == 3) {
        if (is_beyond(p, shape.count.faces[2])) continue;
        run = row + shape.faces3 + 4 * p;
        if constexpr (!Rotational) run[0] += line[rotational + 12 + f];
        for (int i = 0; i < 3; ++i) run[1 + i] += line[14 + 3 * f + i];
      }
    }
  if constexpr (Order == 3) {
    if (is_beyond(position[10], shape.count.cells[2])) return;
    T* run = row + shape.cells3 + 3 * Index(position[10]);
    for (int i = 0; i < 3; ++i) run[i] += line[26 + i];
  }
}

/// Place (reference_tensors.hpp) of the i-th unknown that a level adds on local entity j (0-5 edges, 6-9
/// faces, 10 the cell).
constexpr int place_of(int order, int level, int j, int i) {
  const int rotational = num_rotational(order);
  if (j < 6) return level == 1 ? j : (level == 2 ? rotational + j : rotational + 6 + j);
  if (j == 10) return 26 + i;
  const int f = j - 6;
  if (level == 2) return 6 + 2 * f + i;
  return i == 0 ? rotational + 12 + f : 14 + 3 * f + i - 1;
}

}  // namespace curlew::fem
