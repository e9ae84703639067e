// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Geometry of a planar port face: its frame, and whether it is a rectangle or a circle.

#include <optional>
#include <string>

#include "mesh/mesh.hpp"

namespace curlew::fem {

/// A planar cross-section with its own axes. Their directions follow the global axes, not the normal, so that
/// equal cross-sections at both ends of a guide carry equal mode fields.
struct PortShape {
  enum class Kind { rectangle, circle };
  Kind kind;
  Vec3<double> origin;  ///< [m] corner of the rectangle (u = v = 0), or centre of the circle
  Vec3<double> u, v;    ///< unit vectors in the plane; u along the rectangle's longer side
  double width = 0;     ///< [m] extent along u; the radius of a circle
  double height = 0;    ///< [m] extent along v; the radius of a circle
};

/// The shape of a named surface, from the outline of its triangles.
/// @param port name of the port in messages @return empty if it is neither a rectangle nor a circle
/// @throws InputError if the surface is not planar
std::optional<PortShape> detect_port_shape(const mesh::Mesh& mesh, const mesh::Region& surface,
                                           const std::string& port);

/// Unit vector of the projection of a direction onto the plane. @param what name of the direction in messages
/// @throws InputError if it is normal to the plane
Vec3<double> in_plane(Vec3<double> direction, Vec3<double> normal, const std::string& what);

}  // namespace curlew::fem
