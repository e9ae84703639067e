// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pairs of surfaces that are each other's translation, node by node: the faces of a periodic cell. Once the
// nodes of all pairs are numbered alike, translated edges and faces have their vertices in the same order, so
// that unknowns on them agree in sign and meaning at every order, as neighbouring cells do.

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

/// What messages call the two surfaces.
struct FaceNames {
  std::string primary, secondary;
  double unit = 1;  ///< [m] of the lengths in messages
};

/// Largest distance between a translated node and its partner, relative to the surface's extent.
inline constexpr double translation_tolerance = 1e-6;

/// @param primary, secondary triangles of the mesh
/// @throws InputError if the surfaces are not translations of each other (other area, other outline), or if
/// their meshes differ, with the line of a .geo file that makes Gmsh mesh them alike
TranslatedFaces match_translated(const Mesh& mesh, std::span<const Index> primary,
                                 std::span<const Index> secondary, const FaceNames& names);

/// Renumbers the nodes so that partners follow each other: translated triangles and edges then sort their
/// vertices alike. Comes before the topology; the node numbers in `pairs` are changed along.
void number_alike(Mesh& mesh, std::span<TranslatedFaces> pairs);

}  // namespace curlew::mesh
