// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/box.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"

namespace curlew::mesh {
namespace {

double volume(const Mesh& mesh, Index c) {
  const Index* n = mesh.cell(c);
  const auto &a = mesh.nodes[n[0]], &b = mesh.nodes[n[1]], &p = mesh.nodes[n[2]], &q = mesh.nodes[n[3]];
  return std::abs(dot(b - a, cross(p - a, q - a))) / 6;
}

double area(const Mesh& mesh, Index t) {
  const Index* n = mesh.triangle(t);
  return norm(cross(mesh.nodes[n[1]] - mesh.nodes[n[0]], mesh.nodes[n[2]] - mesh.nodes[n[0]])) / 2;
}

Box brick(int order, std::optional<unsigned> seed) {
  return {.lo = {-1, 2, 0.5},
          .hi = {1, 3, 2},
          .blocks = {3, 2, 4},
          .geometry_order = order,
          .shuffle_seed = seed};
}

TEST(Box, FillsItsVolumeWithSixCellsABlock) {
  for (int order : {1, 2}) {
    const Mesh mesh = make_box(brick(order, std::nullopt));

    double sum = 0;
    for (Index c = 0; c < mesh.num_cells(); ++c) sum += volume(mesh, c);

    EXPECT_EQ(mesh.num_cells(), 6 * 3 * 2 * 4);
    EXPECT_EQ(mesh.nodes.size(), order == 1 ? 4u * 3 * 5 : 7u * 5 * 9);
    EXPECT_NEAR(sum, 2.0 * 1.0 * 1.5, 1e-13);
    EXPECT_EQ(mesh.volumes.at(0).entities.size(), std::size_t(mesh.num_cells()));
  }
}

TEST(Box, SidesHaveTheirAreaAndWallsAreAllOfThem) {
  const Mesh mesh = make_box(brick(2, 7));
  const double expected[] = {1.5, 1.5, 3.0, 3.0, 2.0, 2.0, 13.0};

  ASSERT_EQ(mesh.surfaces.size(), 7u);
  for (std::size_t s = 0; s < 7; ++s) {
    double sum = 0;
    for (Index t : mesh.surfaces[s].entities) sum += area(mesh, t);
    EXPECT_NEAR(sum, expected[s], 1e-13) << mesh.surfaces[s].name;
    EXPECT_TRUE(std::is_sorted(mesh.surfaces[s].entities.begin(), mesh.surfaces[s].entities.end()));
  }
  EXPECT_EQ(mesh.surfaces[6].name, "walls");
}

TEST(Box, VerticesAreSortedAndMiddleNodesStayAtTheMiddleOfTheirEdges) {
  for (auto seed : {std::optional<unsigned>(), std::optional<unsigned>(3)}) {
    const Mesh mesh = make_box(brick(2, seed));

    for (Index c = 0; c < mesh.num_cells(); ++c) {
      const Index* n = mesh.cell(c);
      ASSERT_TRUE(n[0] < n[1] && n[1] < n[2] && n[2] < n[3]);
      for (int e = 0; e < 6; ++e) {
        const auto [a, b] = cell_edge_vertices[e];
        ASSERT_LT(norm(mesh.nodes[n[4 + e]] - 0.5 * (mesh.nodes[n[a]] + mesh.nodes[n[b]])), 1e-14);
      }
    }
    for (Index t = 0; t < mesh.num_triangles(); ++t) {
      const Index* n = mesh.triangle(t);
      ASSERT_TRUE(n[0] < n[1] && n[1] < n[2]);
      for (int e = 0; e < 3; ++e) {
        const auto [a, b] = triangle_edge_vertices[e];
        ASSERT_LT(norm(mesh.nodes[n[3 + e]] - 0.5 * (mesh.nodes[n[a]] + mesh.nodes[n[b]])), 1e-14);
      }
    }
  }
}

TEST(Box, ShuffleIsAPermutationFixedByItsSeed) {
  const Mesh plain = make_box(brick(2, std::nullopt)), one = make_box(brick(2, 1)),
             two = make_box(brick(2, 2));
  const auto keys = [](const Mesh& mesh) {
    std::multiset<std::array<double, 3>> result;
    for (const auto& p : mesh.nodes) result.insert({p.x, p.y, p.z});
    return result;
  };

  EXPECT_EQ(keys(plain), keys(one));
  EXPECT_NE(one.cells, two.cells);
  EXPECT_EQ(one.cells, make_box(brick(2, 1)).cells);
}

TEST(Box, RejectsWhatIsNoBox) {
  EXPECT_THROW(make_box({.blocks = {0, 1, 1}}), InputError);
  EXPECT_THROW(make_box({.lo = {0, 0, 0}, .hi = {1, 0, 1}}), InputError);
  EXPECT_THROW(make_box({.geometry_order = 3}), InputError);
}

}  // namespace
}  // namespace curlew::mesh
