// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A ball of tetrahedra without a mesh generator: eight reflected copies of a subdivided simplex, pushed out
// to the sphere. Every cell has at most one face on the sphere, so no cell flattens as the mesh is refined.

#include <string>
#include <utility>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::test {

/// 8 n^3 cells, radius 1 m; volume "ball", surface "sphere". With geometry_order 2 the middles of the edges
/// on the sphere lie on it, all other edges are straight, as mesh generators do.
mesh::Mesh make_ball(int n, int geometry_order);

/// Concentric spheres: lattice shell m, with 8 m^2 triangles, lies at radius[m - first].
struct Shells {
  int first = 0;               ///< 0: a ball; else hollow inside this shell
  std::vector<double> radius;  ///< [m] ascending, one per shell; 0 for shell 0
  /// Shells that are surfaces of the mesh, and shells at which one volume ends and the next begins.
  std::vector<std::pair<std::string, int>> surfaces;
  std::vector<std::pair<std::string, int>> volumes;  ///< name and the shell where it ends, ascending
  int geometry_order = 2;                            ///< 2: edges of all shells lie on their spheres
};
mesh::Mesh make_shells(const Shells& shells);

/// Volume of all cells between their corners, as if their edges were straight [m^3].
double volume_between_corners(const mesh::Mesh& mesh);

}  // namespace curlew::test
