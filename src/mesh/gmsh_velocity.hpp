// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Velocities of nodes on points, curves and surfaces of a geometry with respect to its parameters: each node
// keeps its relative position in the parameter range of its entity.

#include <string>
#include <vector>

#include "mesh/gmsh_import.hpp"
#include "mesh/node_velocity.hpp"

namespace curlew::mesh {

/// @param options unit and parameters, the numbers among them
/// @param mesh of this geometry with these parameters, of any size
/// @returns [numbers][num_nodes] metres by a unit of the number, 0 inside
/// @throws InputError for files that are no .geo, parameters without value, nodes on no entity, and
/// parameters that change the number of points, curves and surfaces
std::vector<Velocity> surface_velocities(const std::string& path, const ImportOptions& options,
                                         const std::vector<std::string>& numbers, const Mesh& mesh);

}  // namespace curlew::mesh
