// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts into which surfaces divide space, by their boundaries. Surfaces may branch, touch and be open.

#include <array>
#include <vector>

#include "ie/surface/edge_sides.hpp"
#include "ie/surface/surface_mesh.hpp"

namespace curlew::ie {

/// Connected sets of sides of triangles, without crossing a surface: around every edge, the side of one
/// triangle is joined to the facing side of the next one.
struct Shells {
  std::vector<std::array<Index, 2>> at;  ///< [faces] shell on the side of the normal, and on the other side
  std::vector<double> volume;            ///< [shells] enclosed by it [m^3]; 0: the shell is seen from outside
  std::vector<Index> first;              ///< [shells] its first face

  Index size() const { return Index(volume.size()); }
  bool encloses(Index shell) const { return volume[shell] > 0; }
  /// The smallest shell that encloses a shell seen from outside, -1: none.
  std::vector<Index> surrounding;
};

/// @param sides sorted_sides(mesh)
Shells find_shells(const SurfaceMesh& mesh, std::span<const EdgeSide> sides);

/// True if a point is inside a shell that encloses something, by the solid angle of its triangles. Not for
/// points on it.
bool is_inside(const SurfaceMesh& mesh, const Shells& shells, Index shell, Vec3<double> point);

}  // namespace curlew::ie
