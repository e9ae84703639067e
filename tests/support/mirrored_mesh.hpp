// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A mesh and its mirror image as one mesh: parts of a symmetric body are compared with the whole on it to the
// accuracy of solvers.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "mesh/mirror.hpp"
#include "mesh/ordering.hpp"

namespace curlew::test {

/// The mesh and its image in the plane through the origin normal to an axis.
/// @param dropped surfaces that the whole lacks: the plane, and those that contain it
inline mesh::Mesh mirrored(const mesh::Mesh& half, int axis, const std::vector<std::string>& dropped) {
  mesh::Mesh whole = mesh::mirrored(half, axis);
  std::erase_if(whole.surfaces, [&](const auto& s) {
    return std::find(dropped.begin(), dropped.end(), s.name) != dropped.end();
  });
  // Triangles in the plane are in no region.
  std::vector<Index> kept;
  std::map<Index, Index> number;
  for (const auto& surface : whole.surfaces)
    for (const Index t : surface.entities) number[t];
  const auto width = std::size_t(whole.nodes_per_triangle());
  for (auto& [t, place] : number) {
    place = Index(kept.size() / width);
    kept.insert(kept.end(), whole.triangle(t), whole.triangle(t) + width);
  }
  whole.triangles = kept;
  for (auto& surface : whole.surfaces)
    for (Index& t : surface.entities) t = number.at(t);
  mesh::shuffle_nodes(whole, 9);
  return whole;
}

}  // namespace curlew::test
