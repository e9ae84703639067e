// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rims of thin conductors: where fields grow as 1/sqrt(r).

#include <span>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/topology.hpp"

namespace curlew::mesh {

/// Edges of conductors around which more than 300 degrees are free of them: rims of sheets. Where the free
/// part ends at another surface of the mesh, a plane of symmetry, it counts twice.
/// @param conductors triangles, any order, repetitions are fine @returns [edges]
std::vector<char> rims(const Mesh& mesh, const Topology& topology, std::span<const Index> conductors);

}  // namespace curlew::mesh
