// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Walls of a guide's cross-section: metal, finite impedance, absorbing boundaries.

#include <array>
#include <vector>

#include "fem/model/face_parts.hpp"
#include "fem/ports/port.hpp"

namespace curlew::fem {

/// Edges where a port's cross-section touches a boundary.
struct PortWall {
  FacePart part;
  std::vector<Index> edges;                   ///< of the face, on the part
  std::vector<std::array<Index, 2>> pairs{};  ///< of them, on both sides of a layer
};

/// Edges that the face shares with impedance and absorbing boundaries, by the parts of these.
/// @throws InputError if it touches a lumped element
std::vector<PortWall> find_walls(const PortFace& port, const Model& model, const NedelecSpace& space);

/// True if the face's metal, perfect or good conductors, is exactly its outline.
bool has_metal_outline(const PortFace& port, const std::vector<PortWall>& walls, const Model& model,
                       const NedelecSpace& space);

/// Connected sets of edges of metal, perfect or with an impedance.
int count_conductors(const PortFace& port, const std::vector<PortWall>& walls, const Model& model,
                     const NedelecSpace& space);

/// True if magnetic walls inside of the mesh cut the face into parts, each of which would have a potential.
bool is_divided(const PortFace& port, const NedelecSpace& space);

}  // namespace curlew::fem
