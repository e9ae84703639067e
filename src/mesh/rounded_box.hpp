// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The surface at a constant distance from a box, a line, a plate or a point: a box whose edges and corners
// are round. Spheres and capsules are among them. It is convex and smooth, and those of two radii are
// parallel.

#include <array>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::mesh {

struct RoundedBox {
  Vec3<double> center{};
  Vec3<double> core{};  ///< half sides of the box along the axes [m], 0 or positive
  double radius = 0;    ///< distance of the surface from the box [m], positive

  /// The point of the box that is closest to x.
  Vec3<double> nearest_of_core(Vec3<double> x) const;
  /// Projection of x onto the surface. @param x outside of the box or on its middle planes
  Vec3<double> project(Vec3<double> x) const;
};

/// The smallest rounded box around the bounding box of the points with at least `distance` to each of them.
/// @param points at least one @param distance [m] > 0
RoundedBox rounded_box_around(std::span<const Vec3<double>> points, double distance);

/// Vertices on the surface and triangles between them: a grid on each face of the box, projected with equal
/// angles at the round parts, as on a cubed sphere. Source: Ronchi, Iacono and Paolucci (1996), J. Comput.
/// Phys. 124.
struct SurfaceGrid {
  std::vector<Vec3<double>> vertices;
  std::vector<std::array<Index, 3>> triangles;
};
/// @param size about the length of the squares' sides [m] > 0; each is cut along its shorter diagonal
SurfaceGrid triangulate(const RoundedBox& box, double size);

}  // namespace curlew::mesh
