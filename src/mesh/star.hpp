// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cells around a node or an edge, and their connected parts.

#include <algorithm>
#include <numeric>
#include <vector>

#include "mesh/topology.hpp"

namespace curlew::mesh {

/// Index of a face among the faces of a cell.
inline int local_face(const Topology& topology, Index cell, Index face) {
  const auto& faces = topology.cell_faces[std::size_t(cell)];
  return int(std::find(faces.begin(), faces.end(), face) - faces.begin());
}

/// Parts of a star whose cells are joined by faces, numbered in the order of their first cells.
/// @param cells of the star, any order
/// @param joins (cell, local face): true if the face holds the node or edge and is not cut
/// @returns [cells] part of each
template <class Joins>
std::vector<int> parts_of_star(const Topology& topology, const std::vector<Index>& cells,
                               const Joins& joins) {
  std::vector<int> part(cells.size(), -1);
  int count = 0;
  std::vector<std::size_t> front;
  for (std::size_t seed = 0; seed < cells.size(); ++seed) {
    if (part[seed] >= 0) continue;
    part[seed] = count;
    front.assign(1, seed);
    while (!front.empty()) {
      const Index cell = cells[front.back()];
      front.pop_back();
      for (int f = 0; f < 4; ++f) {
        if (!joins(cell, f)) continue;
        const auto& sides =
            topology.face_cells[std::size_t(topology.cell_faces[std::size_t(cell)][std::size_t(f)])];
        const Index next = sides[0] == cell ? sides[1] : sides[0];
        const auto place = std::size_t(std::find(cells.begin(), cells.end(), next) - cells.begin());
        if (place == cells.size() || part[place] >= 0) continue;
        part[place] = count;
        front.push_back(place);
      }
    }
    ++count;
  }
  return part;
}

}  // namespace curlew::mesh
