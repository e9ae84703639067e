// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Normals of the curved surface approximated by the facets of a mesh, from the mesh only: facets with an
// angle below smooth_turn to their neighbours belong to one smooth surface, whose normal at a vertex is the
// mean of theirs weighted by corner angles. For curved facets the normals at the edges and corners count,
// which continue each other across arcs of any angle. Source: Max (1999), Weights for computing vertex
// normals, J. Graphics Tools 4(2).

#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

inline constexpr double smooth_turn = 50 * 3.14159265358979 / 180;  ///< [rad] more is an edge of the body

struct NormalFacet {
  std::array<Index, 3> vertices;
  Vec3<double> normal;
  double area;
  std::array<Vec3<double>, 3> own_normals;       ///< of the facet at its corners; equal if it is flat
  std::array<Vec3<double>, 3> corner_normals{};  ///< of the smooth surface, on the side of `normal`
  int surface = 0;  ///< facets of different ones meet in an edge of the body, for any angle
};
/// Without corner normals; flat.
NormalFacet normal_facet(const Mesh& mesh, const std::array<Index, 3>& vertices);
/// The angle at its corner `place`, 0 to 2 [rad].
double corner_angle(const Mesh& mesh, const NormalFacet& facet, int place);

/// A facet around a vertex, and the corner that it has there.
struct FacetCorner {
  Index facet;
  int place;
};
/// One smooth surface at a vertex: its facets there, with the orientation of their normals relative to the
/// group's.
struct SmoothGroup {
  std::vector<std::pair<FacetCorner, int>> corners;
  Vec3<double> normal{};
};
/// The smooth surfaces at every vertex. @param[in,out] facets get their corner normals
std::unordered_map<Index, std::vector<SmoothGroup>> smooth_groups(const Mesh& mesh,
                                                                  std::vector<NormalFacet>& facets);

/// The shortest d with d·n = δ for all (n, δ), unit n, by regularised normal equations: with fewer than three
/// the rest of d is free, with more the residual is least.
Vec3<double> shortest_displacement(const std::vector<std::pair<Vec3<double>, double>>& conditions);

}  // namespace curlew::mesh
