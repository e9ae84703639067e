// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Triangles on a sphere: an icosahedron with every edge divided, its nodes moved out to the sphere. For tests
// and benches, without Gmsh.

#include <array>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::mesh {

struct TriangleSoup {
  std::vector<Vec3<double>> nodes;  ///< [m]
  std::vector<std::array<Index, 3>> triangles;
};

/// 20 n^2 triangles with normals outwards, 10 n^2 + 2 nodes, 30 n^2 edges of mean length about 1.1 radius/n.
/// @param n divisions of an edge of the icosahedron, >= 1 @param radius [m], > 0
/// @throws InputError for n < 1 or so many triangles that node numbers overflow (n > 14000)
TriangleSoup icosphere(int n, double radius, Vec3<double> center = {});

}  // namespace curlew::mesh
