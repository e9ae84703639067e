// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cuts a mesh along triangles inside of it, so that fields on both sides are independent.

#include <span>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Every named triangle with cells on both sides becomes two triangles of the same regions, one per side, and
/// an entry of mesh.cuts; triangles on the boundary stay. A node is duplicated for each part of its cells
/// that is connected by uncut faces: two inside of the surface and where it meets a wall, one on its rim. The
/// order of nodes is kept, so that cells stay sorted; edges and faces between nodes of the rim are doubled by
/// build_topology, which reads mesh.cuts.
/// @param triangles any order, repetitions are fine
/// @param coupled marks their entries in mesh.cuts
/// @throws InputError if the mesh has no sound topology
void cut_along(Mesh& mesh, std::span<const Index> triangles, bool coupled);

}  // namespace curlew::mesh
