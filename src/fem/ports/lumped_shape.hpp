// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which faces can be lumped ports: rectangles and rings between two conductors.

#include <span>

#include "fem/model/model.hpp"
#include "fem/ports/lumped_port.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

/// Length and width of a rectangle whose two ends across the direction lie on different conductors (perfect
/// ones and impedance walls); the resistance is left to the caller.
/// @throws InputError naming the port, what is wrong and what would be right
LumpedPort rectangle_of(const PortModel& port, const Model& model, const NedelecSpace& space,
                        std::span<const Index> triangles);

/// Radii, angle and centre of a ring or sector between two concentric conductors.
/// @throws InputError naming the port, what is wrong and what would be right
LumpedPort ring_of(const PortModel& port, const Model& model, const NedelecSpace& space,
                   std::span<const Index> triangles);

}  // namespace curlew::fem
