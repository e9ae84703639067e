// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Triangles that touch or cross in space but have no nodes in common there: surfaces that were meshed
// separately, so that currents and fields do not continue across the contact.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::mesh {

enum class Contact { node_on_node, node_on_edge, node_in_triangle, edge_on_edge, edge_through_triangle };

struct Contacts {
  std::size_t count = 0;  ///< pairs of triangles
  /// The first pair, by triangle numbers, and the kind of contact; undefined if count is 0.
  Contact kind{};
  Index first = -1, second = -1;
  Vec3<double> place{};  ///< [m]
};

/// All pairs of triangles that meet elsewhere than in their common nodes, within 1e-6 of their edges
/// (slivers: 1e-3 of their height). A tree of boxes: O(N log N), a few microseconds for each triangle.
/// @param triangles numbers of nodes, each with an area
Contacts find_contacts(std::span<const Vec3<double>> nodes, std::span<const std::array<Index, 3>> triangles);

/// Description of a contact for messages: "nodes of one lie in triangles of the other", ...
std::string describe(Contact kind);

/// How surfaces of a file are joined, for messages: by an operation of the geometry, or in the program that
/// meshed them. @param file the name of the mesh or geometry
std::string how_to_join(const std::string& file);

}  // namespace curlew::mesh
