// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Faces of lumped ports and elements: rectangles and rings between two conductors.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

struct CurrentDirection;
struct Model;

/// A rectangle or ring between two conductors.
struct LumpedShape {
  Vec3<double> direction;  ///< unit vector in the face; unused for a ring
  double length = 0;       ///< [m] extent along the direction; ln(b/a) of a ring
  double width = 0;        ///< [m] area / length; angle of a ring [rad]
  bool is_radial = false;  ///< between two concentric arcs
  Vec3<double> centre{};   ///< [m] of the arcs
  /// Edges of the conductors at its two ends, second is where direction leads (of a ring outwards).
  std::array<std::vector<Index>, 2> ends;

  /// Unit vector of the current at a point of the face.
  Vec3<double> along(Vec3<double> point) const;
};

/// The shape and conductors are checked: a rectangle (area = length times width within 2 %) whose two ends
/// lie on different conductors (perfect ones and impedance walls), or a ring or sector between two concentric
/// ones.
/// @param name of the face in messages, 'port "feed"'
/// @throws InputError naming the face, what is wrong and what would be right
LumpedShape lumped_shape(const std::string& name, const CurrentDirection& direction, const Model& model,
                         const NedelecSpace& space, std::span<const Index> triangles);

}  // namespace curlew::fem
