// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A mesh and its mirror image as one mesh: parts of a symmetric body are compared with the whole on it to the
// accuracy of solvers.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "mesh/ordering.hpp"

namespace curlew::test {

/// The mesh and its image in the plane through the origin normal to an axis.
/// @param dropped surfaces that the whole has not: the plane, and those that hold it
inline mesh::Mesh mirrored(const mesh::Mesh& half, int axis, const std::vector<std::string>& dropped) {
  mesh::Mesh whole = half;
  std::vector<Index> image(half.nodes.size());
  for (std::size_t i = 0; i < half.nodes.size(); ++i) {
    Vec3<double> x = half.nodes[i];
    image[i] = std::abs(x[axis]) < 1e-12 ? Index(i) : Index(whole.nodes.size());
    x[axis] = -x[axis];
    if (image[i] != Index(i)) whole.nodes.push_back(x);
  }
  for (const Index node : half.cells) whole.cells.push_back(image[std::size_t(node)]);
  for (const Index node : half.triangles) whole.triangles.push_back(image[std::size_t(node)]);
  for (auto& volume : whole.volumes)
    for (std::size_t i = 0, n = volume.entities.size(); i < n; ++i)
      volume.entities.push_back(volume.entities[i] + half.num_cells());
  std::erase_if(whole.surfaces, [&](const auto& s) {
    return std::find(dropped.begin(), dropped.end(), s.name) != dropped.end();
  });
  for (auto& surface : whole.surfaces)
    for (std::size_t i = 0, n = surface.entities.size(); i < n; ++i)
      surface.entities.push_back(surface.entities[i] + half.num_triangles());
  // Triangles in the plane are there twice and named by nobody.
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
