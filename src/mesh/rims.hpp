// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rims of thin conductors, where fields grow as 1/sqrt(r), and convex edges of other conductors.

#include <span>
#include <vector>

#include "base/constants.hpp"
#include "mesh/mesh.hpp"
#include "mesh/topology.hpp"

namespace curlew::mesh {

/// [rad] angle free of conductors around an edge, above which it is a rim of a sheet.
inline constexpr double rim_angle = 300 * pi / 180;
/// Angle above which fields at an edge are singular. The normals of adjacent facets of round bodies differ by
/// less than 60 degrees.
inline constexpr double sharp_angle = 240 * pi / 180;

/// Edges of conductors with a free angle above a limit. If the free sector ends at another surface of the
/// mesh, a plane of symmetry, it counts twice.
/// @param conductors triangles, any order, repetitions are fine @returns [edges]
std::vector<char> rims(const Mesh& mesh, const Topology& topology, std::span<const Index> conductors,
                       double angle = rim_angle);
/// The same of faces [faces] that need be no triangles of the mesh: interfaces of media.
std::vector<char> rims_of_faces(const Mesh& mesh, const Topology& topology, const std::vector<char>& conducts,
                                double angle);

}  // namespace curlew::mesh
