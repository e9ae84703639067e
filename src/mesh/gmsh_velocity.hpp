// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Velocities of nodes on points, curves and surfaces of a geometry by its numbers: each node keeps its place
// in the parameters of its entity, as a share of their bounds, while a number changes.

#include <string>
#include <vector>

#include "mesh/gmsh_import.hpp"
#include "mesh/node_velocity.hpp"

namespace curlew::mesh {

/// @param options unit and parameters, the numbers among them
/// @param mesh of this geometry with these parameters, however fine
/// @returns [numbers][num_nodes] metres by a unit of the number, 0 inside
/// @throws InputError for files that are no .geo, numbers that are not stated, nodes that are on no entity,
/// and where a number changes the count of points, curves and surfaces
std::vector<Velocity> surface_velocities(const std::string& path, const ImportOptions& options,
                                         const std::vector<std::string>& numbers, const Mesh& mesh);

}  // namespace curlew::mesh
