// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "mesh/box.hpp"

namespace curlew::mesh {
namespace {

TEST(Topology, AgreesWithASetOfTuplesOnAShuffledMesh) {
  const Mesh mesh = make_box({.blocks = {3, 4, 2}, .geometry_order = 2, .shuffle_seed = 5});
  std::set<std::array<Index, 2>> edges;
  std::map<std::array<Index, 3>, std::vector<Index>> faces;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const Index* n = mesh.cell(c);
    for (auto [a, b] : cell_edge_vertices) edges.insert({n[a], n[b]});
    for (auto [a, b, d] : cell_face_vertices) faces[{n[a], n[b], n[d]}].push_back(c);
  }

  const Topology topology = build_topology(mesh);

  ASSERT_EQ(std::set(topology.edges.begin(), topology.edges.end()), edges);
  ASSERT_EQ(topology.edges.size(), edges.size());
  ASSERT_EQ(topology.faces.size(), faces.size());
  for (Index f = 0; f < topology.num_faces(); ++f) {
    const auto& cells = faces.at(topology.faces[f]);
    EXPECT_EQ(topology.face_cells[f][0], cells[0]);
    EXPECT_EQ(topology.face_cells[f][1], cells.size() == 2 ? cells[1] : -1);
  }
}

TEST(Topology, TablesPointAtTheRightNodes) {
  const Mesh mesh = make_box({.blocks = {2, 3, 2}, .geometry_order = 1, .shuffle_seed = 11});

  const Topology topology = build_topology(mesh);

  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const Index* n = mesh.cell(c);
    for (int e = 0; e < 6; ++e) {
      const auto [a, b] = cell_edge_vertices[e];
      EXPECT_EQ(topology.edges[topology.cell_edges[c][e]], (std::array<Index, 2>{n[a], n[b]}));
    }
    for (int f = 0; f < 4; ++f) {
      const auto [a, b, d] = cell_face_vertices[f];
      EXPECT_EQ(topology.faces[topology.cell_faces[c][f]], (std::array<Index, 3>{n[a], n[b], n[d]}));
    }
  }
  for (Index f = 0; f < topology.num_faces(); ++f)
    for (int e = 0; e < 3; ++e) {
      const auto [a, b] = triangle_edge_vertices[e];
      EXPECT_EQ(topology.edges[topology.face_edges[f][e]],
                (std::array<Index, 2>{topology.faces[f][a], topology.faces[f][b]}));
    }
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    const Index* n = mesh.triangle(t);
    EXPECT_EQ(topology.faces[topology.triangle_face[t]], (std::array<Index, 3>{n[0], n[1], n[2]}));
    EXPECT_EQ(topology.face_cells[topology.triangle_face[t]][1], -1);
  }
}

TEST(Topology, SatisfiesEulersFormula) {
  const Mesh mesh = make_box({.blocks = {5, 4, 3}});

  const Topology topology = build_topology(mesh);

  EXPECT_EQ(Index(mesh.nodes.size()) - topology.num_edges() + topology.num_faces() - mesh.num_cells(), 1);
  const auto boundary =
      std::count_if(topology.face_cells.begin(), topology.face_cells.end(), [](auto& c) { return c[1] < 0; });
  EXPECT_EQ(boundary, 4 * (5 * 4 + 4 * 3 + 3 * 5));
}

TEST(Topology, DoesNotDependOnTheThreads) {
  const Mesh mesh = make_box({.blocks = {12, 12, 12}, .shuffle_seed = 1});
  set_num_threads(1);
  const Topology one = build_topology(mesh);
  set_num_threads(2);
  const Topology two = build_topology(mesh);
  set_num_threads(0);

  EXPECT_EQ(one.edges, two.edges);
  EXPECT_EQ(one.cell_faces, two.cell_faces);
  EXPECT_EQ(one.face_cells, two.face_cells);
}

TEST(Topology, OfChecksServesTheSameCellsAlone) {
  Mesh mesh = make_box({.blocks = {2, 2, 2}});
  const auto whole = topology_for_checks(mesh)->edges;
  EXPECT_EQ(topology_for_checks(mesh)->edges, whole);
  Mesh part = mesh;
  part.cells.resize(4), part.triangles.clear(), part.surfaces.clear();
  const Topology of_part = build_topology(part);  // not that of the other mesh
  EXPECT_EQ(of_part.cell_edges.size(), 1U);
  EXPECT_EQ(build_topology(mesh).edges, whole);
  EXPECT_EQ(build_topology(mesh).edges, whole);  // after the first has taken it
}

TEST(Topology, RejectsDoubledCellsAndLostTriangles) {
  Mesh doubled = make_box({.blocks = {1, 1, 1}});
  const std::vector<Index> first(doubled.cells.begin(), doubled.cells.begin() + 4);
  doubled.cells.insert(doubled.cells.end(), first.begin(), first.end());
  doubled.cells.insert(doubled.cells.end(), first.begin(), first.end());
  Mesh lost = make_box({.blocks = {1, 1, 1}});
  lost.triangles = {0, 1, 6};
  lost.surfaces = {{"port1", {0}}};

  EXPECT_THROW(build_topology(doubled), InputError);
  try {
    build_topology(lost);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("\"port1\""), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace curlew::mesh
