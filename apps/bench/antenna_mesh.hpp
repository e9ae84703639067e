// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The edges, faces and cells of the generated antenna matrix.

#include <array>
#include <vector>

namespace curlew::bench {

/// Cubes of the box along x, y, z.
constexpr std::array<int, 3> antenna_box = {22, 22, 3};
/// Unknowns of an edge, a face and a cell in each order.
constexpr int antenna_dofs[3][3] = {{1, 1, 1}, {0, 2, 4}, {0, 0, 3}};

struct Entity {
  int kind;                      ///< 0 edge, 1 face, 2 cell
  std::array<double, 3> centre;  ///< in cubes
};
/// Entities with unknowns, and the ones that each cell touches.
struct EntityMesh {
  std::vector<Entity> entities;
  std::vector<std::vector<int>> cells;
};
/// 8091 edges, 16019 faces and 8710 cells.
EntityMesh antenna_mesh();

}  // namespace curlew::bench
