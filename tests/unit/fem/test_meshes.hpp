// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Meshes that hide no mistake: shuffled numbers, no face along an axis, all cells different.

#include <cmath>

#include "mesh/box.hpp"
#include "mesh/mesh.hpp"
#include "mesh/topology.hpp"

namespace curlew::fem::test {

/// A box of blocks, sheared and then distorted; with geometry_order 2 its edges are bent.
inline mesh::Mesh skewed_box(std::array<int, 3> blocks, int geometry_order = 1, unsigned seed = 7) {
  mesh::Box box;
  box.hi = {1.0, 0.8, 0.9};
  box.blocks = blocks;
  box.geometry_order = geometry_order;
  box.shuffle_seed = seed;
  mesh::Mesh mesh = mesh::make_box(box);
  for (auto& x : mesh.nodes) {
    const Vec3<double> bend{0.05 * std::sin(3 * x.y + x.z), 0.04 * std::cos(2 * x.z - x.x),
                            0.06 * std::sin(2 * x.x)};
    x = Vec3<double>{x.x + 0.3 * x.y - 0.1 * x.z, 0.9 * x.y + 0.2 * x.z, x.z - 0.25 * x.x} + bend;
  }
  return mesh;
}

/// The same with straight edges: curved geometry then describes the same domain as straight geometry.
inline mesh::Mesh straightened(mesh::Mesh mesh) {
  for (Index c = 0; mesh.geometry_order == 2 && c < mesh.num_cells(); ++c)
    for (std::size_t e = 0; e < 6; ++e) {
      const auto [i, j] = mesh::cell_edge_vertices[e];
      const Index* cell = mesh.cell(c);
      mesh.nodes[std::size_t(cell[4 + e])] =
          0.5 * (mesh.nodes[std::size_t(cell[i])] + mesh.nodes[std::size_t(cell[j])]);
    }
  return mesh;
}

}  // namespace curlew::fem::test
