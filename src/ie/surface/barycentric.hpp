// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The barycentric refinement of a closed mesh, and functions of the mesh as sums of RWG functions on it: RWG
// functions of the mesh, and Buffa-Christiansen functions, which are to the dual mesh of cells around nodes
// what RWG functions are to the triangles. Source: Buffa and Christiansen (2007), Math. Comp. 76, 1743;
// Andriulli et al. (2008), IEEE Trans. Antennas Propag. 56(8), 2398.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "ie/surface/rwg.hpp"

namespace curlew::ie {

/// Six triangles for each: number 6 t + 2 i + j lies in triangle t, beside its edge from corner i to i + 1,
/// at the first (j = 0) or the second corner.
struct BarycentricMesh {
  static constexpr Index children = 6;

  explicit BarycentricMesh(const SurfaceMesh& mesh);
  Index middle(Index a, Index b) const { return middles.at(std::minmax(a, b)); }
  Index centroid(Index t) const { return centroids[t]; }

  SurfaceMesh mesh;
  std::map<std::pair<Index, Index>, Index> middles;  ///< nodes in the middle of edges, by the edges' nodes
  std::vector<Index> centroids;                      ///< [triangles] nodes
};

/// Coefficient of a function of the mesh for an RWG function of the refinement.
struct RwgShare {
  Index function;  ///< of the mesh
  double density;  ///< current density across the edge [1]
};
/// [functions of the refinement]
using RwgShares = std::vector<std::vector<RwgShare>>;

/// The RWG functions of the mesh.
RwgShares shares_of_rwg(const SurfaceMesh& mesh, const RwgSpace& space, const BarycentricMesh& refined,
                        const RwgSpace& fine);
/// The Buffa-Christiansen functions of its edges, one for each RWG function f: g flows along the edge, with n
/// x g along f, from the cell around one end to that around the other, a current density of 1 across the line
/// between the two cells. Its charge is the same on all triangles of a cell.
/// @pre all pieces are closed, without junctions
RwgShares shares_of_dual(const SurfaceMesh& mesh, const RwgSpace& space, const BarycentricMesh& refined,
                         const RwgSpace& fine);

}  // namespace curlew::ie
