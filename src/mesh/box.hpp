// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Structured tetrahedral mesh of a box by the Freudenthal (Kuhn) subdivision of a grid: six congruent
// tetrahedra per block, all around the diagonal from its lowest to its highest corner. For tests and benches,
// without Gmsh. Source: Bey (2000), Simplicial grid refinement: on Freudenthal's algorithm, Numerische
// Mathematik 85.

#include <array>
#include <optional>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

struct Box {
  Vec3<double> lo{0, 0, 0};                ///< lowest corner [m]
  Vec3<double> hi{1, 1, 1};                ///< highest corner [m], above lo in every coordinate
  std::array<int, 3> blocks{4, 4, 4};      ///< grid blocks along x, y, z, each >= 1
  int geometry_order = 1;                  ///< 1, or 2 with nodes at the middle of (straight) edges
  std::optional<unsigned> shuffle_seed{};  ///< if given, node numbers in random order
};

/// 6 nx ny nz cells. One volume "volume"; surfaces "x0", "x1", "y0", "y1", "z0", "z1", and "walls" with all
/// of them.
/// @throws InputError on an empty box, fewer than one block or another geometry order
Mesh make_box(const Box& box);

}  // namespace curlew::mesh
