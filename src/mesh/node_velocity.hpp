// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Motion of nodes when a parameter of the geometry changes: on surfaces by the geometry itself
// (gmsh_velocity.hpp), inside by a harmonic extension, so that cells share the motion.

#include <string>
#include <vector>

#include "mesh/topology.hpp"

namespace curlew::mesh {

/// [num_nodes, m by a unit of the number]
using Velocity = std::vector<Vec3<double>>;

/// Nodes on ends of the mesh, on interfaces between regions and on named surfaces [num_nodes].
std::vector<char> nodes_on_surfaces(const Mesh& mesh, const Topology& topology);
/// Nodes of named surfaces only, for meshes without cells.
std::vector<char> nodes_of_triangles(const Mesh& mesh);

/// Fills in the velocities of all other nodes: each vertex takes the mean of its neighbours, by sweeps, and
/// middle nodes that of their edge's ends.
void extend_inwards(const Mesh& mesh, const std::vector<char>& on_surface, std::vector<Velocity>& velocities);

/// Writes velocities with respect to one or more parameters.
void write_velocities(const std::vector<Velocity>& velocities, const std::string& path);
/// @throws InputError if it has another format
std::vector<Velocity> read_velocities(const std::string& path);

}  // namespace curlew::mesh
