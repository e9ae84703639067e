// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/mirror.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "mesh/box.hpp"
#include "mesh/check.hpp"
#include "mesh/quality.hpp"
#include "message_of.hpp"

namespace curlew::mesh {
namespace {

Mesh half_box(int order, double y = 0) {
  return make_box({.lo = {0.5, y, -1},
                   .hi = {2, y + 1, 0},
                   .blocks = {3, 2, 2},
                   .geometry_order = order,
                   .shuffle_seed = 3});
}

double area(const Mesh& mesh, const std::string& name) {
  for (const auto& surface : report_quality(mesh).surfaces)
    if (surface.name == name) return surface.area;
  return -1;
}

TEST(Mirrored, HasTwiceTheHalf) {
  for (const int order : {1, 2}) {
    const Mesh half = half_box(order), whole = mirrored(half, 1);
    EXPECT_NO_THROW(check_mesh(whole));
    EXPECT_EQ(whole.num_cells(), 2 * half.num_cells());
    EXPECT_NEAR(report_quality(whole).volumes.at(0).volume, 2 * 1.5, 1e-12);
    EXPECT_NEAR(area(whole, "x0"), 2 * 1, 1e-12);
    EXPECT_NEAR(area(whole, "y1"), 2 * 1.5, 1e-12);
    EXPECT_NEAR(area(whole, "y0"), 1.5, 1e-12);  // in the plane: there once
    EXPECT_EQ(count_coincident_nodes(whole), 0U);
  }
}

/// Middle nodes of curved cells go with their edges: a cell that bulges does so in the mirror.
TEST(Mirrored, CurvedCellsStayCurved) {
  Mesh half = half_box(2);
  for (auto& node : half.nodes) node.x += 0.1 * node.y * node.y, node.z += 0.05 * node.x * node.y;
  const Mesh whole = mirrored(half, 1);
  EXPECT_NO_THROW(check_mesh(whole));
  EXPECT_NEAR(report_quality(whole).volumes.at(0).volume, 2 * report_quality(half).volumes.at(0).volume,
              1e-12);
  EXPECT_NEAR(area(whole, "y1"), 2 * area(half, "y1"), 1e-12);
}

/// Every node has an exact image, and edges of triangles are shared: a quarter closes in two planes.
TEST(Mirrored, ClosesOverTwoPlanes) {
  Mesh quarter = half_box(1);
  quarter.cells.clear(), quarter.volumes.clear();
  std::vector<Region> kept;
  std::vector<Index> triangles;
  for (auto& surface : quarter.surfaces) {
    if (surface.name == "y0" || surface.name == "z1" || surface.name == "walls") continue;
    std::vector<Index> own;
    for (const Index t : surface.entities) {
      own.push_back(Index(triangles.size() / 3));
      triangles.insert(triangles.end(), quarter.triangle(t), quarter.triangle(t) + 3);
    }
    kept.push_back({surface.name, own});
  }
  quarter.surfaces = kept, quarter.triangles = triangles;
  const Mesh whole = mirrored(mirrored(quarter, 1), 2);
  EXPECT_EQ(whole.num_triangles(), 4 * quarter.num_triangles());
  std::map<std::pair<Index, Index>, int> edges;
  for (Index t = 0; t < whole.num_triangles(); ++t)
    for (const auto& [a, b] : triangle_edge_vertices) ++edges[{whole.triangle(t)[a], whole.triangle(t)[b]}];
  for (const auto& [edge, count] : edges) EXPECT_EQ(count, 2);
  for (const int axis : {1, 2})
    for (auto node : whole.nodes) {
      node[axis] = -node[axis];
      EXPECT_TRUE(std::find(whole.nodes.begin(), whole.nodes.end(), node) != whole.nodes.end());
    }
}

TEST(Mirrored, NodesOnBothSidesOrNoneInThePlaneAreRefused) {
  const auto complaint = [](double y) {
    return test::message_of<InputError>([&] { mirrored(half_box(1, y), 1); });
  };
  EXPECT_NE(complaint(-0.5).find("needs the half on one side of y = 0"), std::string::npos)
      << complaint(-0.5);
  EXPECT_NE(complaint(0.5).find("no node lies in the plane y = 0"), std::string::npos) << complaint(0.5);
  EXPECT_EQ(complaint(-1), "nothing");  // either side
}

}  // namespace
}  // namespace curlew::mesh
