// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A lumped port: a planar face between two conductors whose uniform sheet carries a current along one
// direction.
//
// With length l along the direction, width w = area / l and resistance R, the sheet has R w/l ohm per square:
// jωμ0/R (l/w) ∫ (W·d)(E·d) dS; its voltage is the mean over the width, V = fᵀx, f = 1/w ∫ W·d dS, and an
// incident voltage a drives 2 (jωμ0/R) a f, so that V = a + b in the algebra of modal_port.hpp.
// Source: Jin (2014), section 10.4 (lumped ports); the sheet as in palace, docs/src/guide/boundaries.md.

#include <span>
#include <string>

#include "base/vec3.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

struct LumpedPort {
  Vec3<double> direction;  ///< unit vector in the face
  double resistance = 50;  ///< [ohm]
  double length = 0;       ///< [m] extent along the direction
  double width = 0;        ///< [m] area / length
};

/// @param direction any length
/// @throws InputError if the face is not planar or the direction is not in it
LumpedPort make_lumped_port(const mesh::Mesh& mesh, std::span<const Index> triangles, Vec3<double> direction,
                            double resistance, const std::string& name);

}  // namespace curlew::fem
