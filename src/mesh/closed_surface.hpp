// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Orientation of closed triangulated surfaces.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Where half of a symmetric surface may end.
struct SurfaceEnds {
  /// True for a point of a plane of symmetry; empty: the surface must be closed.
  std::function<bool(Vec3<double>)> on_plane;
  Vec3<double> origin{};  ///< a point on all planes of symmetry [m]
};

/// +1 for each triangle whose normal (n1 - n0) x (n2 - n0), by the order of its vertices, points out of the
/// enclosed volume, -1 for the others. Several closed pieces are each oriented outward.
/// @param what name of the surface in messages, e.g. surface "S"
/// @throws InputError if the surface is empty, has an open edge, or an edge with more than two triangles
std::vector<int> outward_sides(const Mesh& mesh, std::span<const Index> triangles, const std::string& what,
                               const SurfaceEnds& ends = {});

/// Solid angle under which a surface is seen from a point, signed by its sides: of a closed surface 4 pi
/// inside and 0 outside. Straight sides. Source: Van Oosterom and Strackee (1983), IEEE Trans. Biomed. Eng.
/// 30(2).
double solid_angle(const Mesh& mesh, std::span<const Index> triangles, std::span<const int> sides,
                   Vec3<double> point);

}  // namespace curlew::mesh
