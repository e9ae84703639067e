// SPDX-License-Identifier: BSD-3-Clause
// Cuts against Euler's formula and counts by hand.

#include "mesh/cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mesh/box.hpp"
#include "mesh/topology.hpp"

namespace curlew::mesh {
namespace {

/// A cube of n^3 blocks with the triangles of x = 1/2 that fulfil a condition as the surface "plate".
template <class Inside>
Mesh cube_with_plate(int n, const Inside& inside) {
  Mesh mesh = make_box({.blocks = {n, n, n}});
  const Topology topology = build_topology(mesh);
  Region plate{"plate", {}};
  for (const auto& face : topology.faces) {
    const auto on = [&](Index v) { return std::abs(mesh.nodes[std::size_t(v)].x - 0.5) < 1e-12; };
    if (!std::all_of(face.begin(), face.end(), on)) continue;
    const Vec3<double> middle =
        (1.0 / 3) * (mesh.nodes[std::size_t(face[0])] + mesh.nodes[std::size_t(face[1])] +
                     mesh.nodes[std::size_t(face[2])]);
    if (!inside(middle)) continue;
    plate.entities.push_back(mesh.num_triangles());
    mesh.triangles.insert(mesh.triangles.end(), face.begin(), face.end());
  }
  mesh.surfaces.push_back(plate);
  return mesh;
}

void cut_plate(Mesh& mesh) {
  const auto triangles = mesh.surfaces.back().entities;
  cut_along(mesh, triangles, false);
}

Index count_outer(const Topology& topology) {
  return Index(std::count_if(topology.face_cells.begin(), topology.face_cells.end(),
                             [](const auto& cells) { return cells[1] < 0; }));
}

void expect_consistent(const Mesh& mesh, const Topology& topology) {
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    EXPECT_TRUE(std::is_sorted(mesh.cell(c), mesh.cell(c) + 4));
    for (std::size_t e = 0; e < 6; ++e) {
      const auto& nodes = topology.edges[std::size_t(topology.cell_edges[std::size_t(c)][e])];
      EXPECT_EQ(nodes[0], mesh.cell(c)[cell_edge_vertices[e][0]]);
      EXPECT_EQ(nodes[1], mesh.cell(c)[cell_edge_vertices[e][1]]);
    }
    for (std::size_t f = 0; f < 4; ++f) {
      const auto face = std::size_t(topology.cell_faces[std::size_t(c)][f]);
      const auto& cells = topology.face_cells[face];
      EXPECT_TRUE(cells[0] == c || cells[1] == c);
      for (const Index e : topology.face_edges[face]) {
        const auto& edges = topology.cell_edges[std::size_t(c)];
        EXPECT_NE(std::find(edges.begin(), edges.end(), e), edges.end());
      }
    }
  }
}

TEST(Cut, ThroughTheMeshMakesTwoMeshes) {
  Mesh mesh = cube_with_plate(2, [](Vec3<double>) { return true; });
  const Index nodes = Index(mesh.nodes.size());
  const Topology before = build_topology(mesh);
  cut_plate(mesh);
  const Topology after = build_topology(mesh);
  expect_consistent(mesh, after);
  EXPECT_EQ(Index(mesh.nodes.size()), nodes + 9);
  EXPECT_EQ(after.num_edges(), before.num_edges() + 16);  // of 8 triangles in a square of 2 x 2
  EXPECT_EQ(after.num_faces(), before.num_faces() + 8);
  EXPECT_EQ(count_outer(after), count_outer(before) + 16);
  EXPECT_EQ(mesh.surfaces.back().entities.size(), 16u);
  EXPECT_EQ(mesh.cuts.size(), 8u);
}

/// A strip of one block with a free rim: no node is doubled inside, but its faces and inner edges are.
TEST(Cut, OfOneBlockDoublesWhatLiesBetweenNodesOfTheRim) {
  Mesh mesh = cube_with_plate(
      4, [](Vec3<double> p) { return std::abs(p.y - 0.375) < 0.125 && std::abs(p.z - 0.375) < 0.125; });
  const Index nodes = Index(mesh.nodes.size());
  const Topology before = build_topology(mesh);
  ASSERT_EQ(mesh.surfaces.back().entities.size(), 2u);
  cut_plate(mesh);
  const Topology after = build_topology(mesh);
  expect_consistent(mesh, after);
  EXPECT_EQ(Index(mesh.nodes.size()), nodes);
  EXPECT_EQ(after.num_faces(), before.num_faces() + 2);
  EXPECT_EQ(after.num_edges(), before.num_edges() + 1);  // the diagonal
  for (const Cut& cut : mesh.cuts)
    for (std::size_t s = 0; s < 2; ++s) {
      const auto face = std::size_t(after.triangle_face[std::size_t(cut.triangles[s])]);
      EXPECT_EQ(after.face_cells[face][0], cut.cells[s]);
      EXPECT_EQ(after.face_cells[face][1], -1);
    }
}

/// A plate that ends inside doubles what is not on its free rim: 4 x 4 blocks of a 6 x 6 section.
TEST(Cut, SharesItsFreeRim) {
  Mesh mesh = cube_with_plate(
      6, [](Vec3<double> p) { return std::abs(p.y - 0.5) < 1.0 / 3 && std::abs(p.z - 0.5) < 1.0 / 3; });
  const Index nodes = Index(mesh.nodes.size());
  const Topology before = build_topology(mesh);
  cut_plate(mesh);
  const Topology after = build_topology(mesh);
  expect_consistent(mesh, after);
  EXPECT_EQ(Index(mesh.nodes.size()), nodes + 9);                     // 3 x 3 inside the rim
  EXPECT_EQ(after.num_edges(), before.num_edges() + 2 * 4 * 3 + 16);  // 24 along the axes, 16 diagonals
  EXPECT_EQ(after.num_faces(), before.num_faces() + 32);
}

TEST(Cut, LeavesTheBoundaryAlone) {
  Mesh mesh = make_box({.blocks = {2, 2, 2}});
  std::vector<Index> all(std::size_t(mesh.num_triangles()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = Index(i);
  const auto cells = mesh.cells;
  cut_along(mesh, all, false);
  EXPECT_TRUE(mesh.cuts.empty());
  EXPECT_EQ(mesh.cells, cells);
}

}  // namespace
}  // namespace curlew::mesh
