// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A ball of tetrahedra without a mesh generator: eight reflected copies of a subdivided simplex, pushed out
// to the sphere. Every cell has at most one face on the sphere, so no cell flattens as the mesh is refined.

#include "mesh/mesh.hpp"

namespace curlew::test {

/// 8 n^3 cells, radius 1 m; volume "ball", surface "sphere". With geometry_order 2 the middles of the edges
/// on the sphere lie on it, all other edges are straight, as mesh generators do.
mesh::Mesh make_ball(int n, int geometry_order);

}  // namespace curlew::test
