// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The triangles at every edge of a surface, and their order around it.

#include <span>
#include <vector>

#include "ie/surface/surface_mesh.hpp"

namespace curlew::ie {

/// One side of a triangle: an edge from the lower node a to the higher node b.
struct EdgeSide {
  Index a, b, triangle;
  int vertex;      ///< opposite corner of the triangle, 0..2
  bool ascending;  ///< the triangle runs through it from a to b: rotation about a-b goes along its normal
};

/// All sides, those of one edge together, by the number of the triangle. Second sides of sheets are left out.
std::vector<EdgeSide> sorted_sides(const SurfaceMesh& mesh);

/// Calls visit(sides of one edge) for every edge, in the order of sorted_sides.
template <class Visit>
void for_each_edge(std::span<const EdgeSide> sides, Visit&& visit) {
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].a == sides[i].a && sides[end].b == sides[i].b) ++end;
    visit(sides.subspan(i, end - i));
    i = end;
  }
}

/// The sides of one edge in the order in which a rotation about the direction from a to b meets them.
std::vector<EdgeSide> around_edge(const SurfaceMesh& mesh, std::span<const EdgeSide> sides);

}  // namespace curlew::ie
