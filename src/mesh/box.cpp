// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "mesh/ordering.hpp"

namespace curlew::mesh {
namespace {

using Grid = std::array<int, 3>;  ///< position of a node in units of half a block

/// Node number of a grid position. With quadratic geometry the half-way positions are nodes, and all of them
/// are used: they are the middles of block edges, of face diagonals and of the blocks' diagonals.
struct Numbering {
  int step;                    ///< half blocks between neighbouring nodes: 2 or 1
  std::array<Index, 3> count;  ///< nodes along x, y, z

  explicit Numbering(const Box& box) : step(box.geometry_order == 1 ? 2 : 1) {
    for (int d = 0; d < 3; ++d) count[d] = 2 * box.blocks[d] / step + 1;
  }
  Index total() const { return count[0] * count[1] * count[2]; }
  Index operator()(const Grid& g) const {
    return g[0] / step + count[0] * (g[1] / step + count[1] * (g[2] / step));
  }
};

void check(const Box& box) {
  if (box.geometry_order != 1 && box.geometry_order != 2)
    throw InputError(fmt::format("box: geometry order {} is not 1 or 2", box.geometry_order));
  for (int d = 0; d < 3; ++d) {
    if (box.blocks[d] < 1)
      throw InputError(fmt::format("box: {} blocks along axis {}, at least 1 needed", box.blocks[d], d));
    if (!(box.hi[d] > box.lo[d]))
      throw InputError(fmt::format("box: empty along axis {} ({} to {})", d, box.lo[d], box.hi[d]));
  }
  const double nodes = (2.0 * box.blocks[0] + 1) * (2.0 * box.blocks[1] + 1) * (2.0 * box.blocks[2] + 1);
  if (nodes > 2e9) throw InputError("box: more blocks than 32-bit node numbers can hold");
}

void append_nodes(const Box& box, const Numbering& number, Mesh& mesh) {
  mesh.nodes.resize(number.total());
  for (int k = 0; k < number.count[2]; ++k)
    for (int j = 0; j < number.count[1]; ++j)
      for (int i = 0; i < number.count[0]; ++i) {
        const Grid place{i * number.step, j * number.step, k * number.step};
        Vec3<double>& node = mesh.nodes[number(place)];
        for (int d = 0; d < 3; ++d) {
          const double t = place[d] / (2.0 * box.blocks[d]);  // both ends exact
          node[d] = (1 - t) * box.lo[d] + t * box.hi[d];
        }
      }
}

Grid middle(const Grid& a, const Grid& b) {
  return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
}

/// Corner positions of the six tetrahedra of a block: from the lowest corner along the axes in every order.
std::array<std::array<Grid, 4>, 6> split_block(int i, int j, int k) {
  std::array<std::array<Grid, 4>, 6> tetrahedra;
  std::array<int, 3> axes{0, 1, 2};
  for (auto& corners : tetrahedra) {
    corners[0] = {2 * i, 2 * j, 2 * k};
    for (int v = 0; v < 3; ++v) {
      corners[v + 1] = corners[v];
      corners[v + 1][axes[v]] += 2;
    }
    std::next_permutation(axes.begin(), axes.end());
  }
  return tetrahedra;
}

template <std::size_t V, class Edges>
void append_entity(const std::array<Grid, V>& corners, const Edges& edges, const Numbering& number,
                   std::vector<Index>& list) {
  for (const Grid& corner : corners) list.push_back(number(corner));
  if (number.step == 2) return;
  for (const auto& [a, b] : edges) list.push_back(number(middle(corners[a], corners[b])));
}

/// Adds the faces of a tetrahedron that lie on a side of the box to that side and to "walls" (the last
/// surface).
void append_boundary(const Box& box, const std::array<Grid, 4>& corners, const Numbering& number,
                     Mesh& mesh) {
  for (const auto& face : cell_face_vertices) {
    const std::array<Grid, 3> triangle{corners[face[0]], corners[face[1]], corners[face[2]]};
    for (int side = 0; side < 6; ++side) {
      const int d = side / 2, plane = side % 2 == 0 ? 0 : 2 * box.blocks[d];
      if (std::any_of(triangle.begin(), triangle.end(), [&](const Grid& g) { return g[d] != plane; }))
        continue;
      const Index t = mesh.num_triangles();
      append_entity(triangle, triangle_edge_vertices, number, mesh.triangles);
      mesh.surfaces[side].entities.push_back(t);
      mesh.surfaces[6].entities.push_back(t);
    }
  }
}

}  // namespace

Mesh make_box(const Box& box) {
  check(box);
  const Numbering number(box);
  Mesh mesh;
  mesh.name = "box";
  mesh.geometry_order = box.geometry_order;
  for (const char* name : {"x0", "x1", "y0", "y1", "z0", "z1", "walls"}) mesh.surfaces.push_back({name, {}});

  append_nodes(box, number, mesh);
  mesh.cells.reserve(std::size_t(6) * box.blocks[0] * box.blocks[1] * box.blocks[2] * mesh.nodes_per_cell());
  for (int k = 0; k < box.blocks[2]; ++k)
    for (int j = 0; j < box.blocks[1]; ++j)
      for (int i = 0; i < box.blocks[0]; ++i)
        for (const auto& corners : split_block(i, j, k)) {
          append_entity(corners, cell_edge_vertices, number, mesh.cells);
          append_boundary(box, corners, number, mesh);
        }

  mesh.volumes.push_back({"volume", std::vector<Index>(mesh.num_cells())});
  std::iota(mesh.volumes[0].entities.begin(), mesh.volumes[0].entities.end(), 0);
  if (box.shuffle_seed)
    shuffle_nodes(mesh, *box.shuffle_seed);
  else
    sort_vertices(mesh);
  return mesh;
}

}  // namespace curlew::mesh
