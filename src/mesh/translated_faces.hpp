// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pairs of surfaces that are each other's translation, node by node: the faces of a periodic cell. With
// consistent node numbers of all pairs, translated edges and faces have their vertices in the same order, so
// that unknowns on them agree in sign and meaning at every order.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

struct TranslatedFaces {
  Vec3<double> translation{};                   ///< from the primary to the secondary surface [m]
  std::vector<std::array<Index, 2>> nodes;      ///< {primary, secondary} vertices and middle nodes
  std::vector<std::array<Index, 2>> triangles;  ///< {primary, secondary} triangles of the mesh
};

/// Names of the two surfaces in messages.
struct FaceNames {
  std::string primary, secondary;
  double unit = 1;  ///< [m] of the lengths in messages
};

/// Largest distance between a translated node and its partner, relative to the surface's extent.
inline constexpr double translation_tolerance = 1e-6;

/// @param primary, secondary triangles of the mesh
/// @throws InputError if the surfaces are not translations of each other (other area, other outline), or if
/// their meshes differ, with the line of a .geo file that makes Gmsh mesh them equally
TranslatedFaces match_translated(const Mesh& mesh, std::span<const Index> primary,
                                 std::span<const Index> secondary, const FaceNames& names);

/// Renumbers the nodes so that partners follow each other: translated triangles and edges then have the same
/// vertex order. Call it before the topology is made; the node numbers in `pairs` are changed along.
void number_alike(Mesh& mesh, std::span<TranslatedFaces> pairs);

}  // namespace curlew::mesh
