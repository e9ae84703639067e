// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rims of thin conductors, where fields grow as 1/sqrt(r), and edges of others that point into the field.

#include <span>
#include <vector>

#include "base/constants.hpp"
#include "mesh/mesh.hpp"
#include "mesh/topology.hpp"

namespace curlew::mesh {

/// [rad] free of conductors around an edge: more of it is a rim of a sheet.
inline constexpr double rim_angle = 300 * pi / 180;
/// The same: more is an edge at which fields are singular. Facets of round bodies turn by less than 60
/// degrees.
inline constexpr double sharp_angle = 240 * pi / 180;

/// Edges of conductors around which more than an angle is free of them. Where the free part ends at another
/// surface of the mesh, a plane of symmetry, it counts twice.
/// @param conductors triangles, any order, repetitions are fine @returns [edges]
std::vector<char> rims(const Mesh& mesh, const Topology& topology, std::span<const Index> conductors,
                       double angle = rim_angle);
/// The same of faces [faces] that need be no triangles of the mesh: interfaces of media.
std::vector<char> rims_of_faces(const Mesh& mesh, const Topology& topology, const std::vector<char>& conducts,
                                double angle);

}  // namespace curlew::mesh
