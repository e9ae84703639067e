// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/refine.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../../convergence/ball_mesh.hpp"
#include "base/constants.hpp"
#include "mesh/check.hpp"
#include "mesh/second_order.hpp"
#include "mesh/straighten.hpp"

namespace curlew::mesh {
namespace {

double area_of(const Mesh& mesh) {
  double area = 0;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    const Vec3<double> a = mesh.nodes[mesh.triangle(t)[0]];
    area += 0.5 * norm(cross(mesh.nodes[mesh.triangle(t)[1]] - a, mesh.nodes[mesh.triangle(t)[2]] - a));
  }
  return area;
}

/// Height of facets falls by four, known from the facets alone.
TEST(Refine, FindsTheSphereThatStraightFacetsStandFor) {
  const Mesh ball = test::make_ball(4, 1), finer = refined_flat(ball);

  EXPECT_NO_THROW(check_mesh(finer, MeshUse::volumes));
  EXPECT_EQ(finer.geometry_order, 1);
  EXPECT_EQ(finer.num_cells(), 8 * ball.num_cells());
  EXPECT_EQ(finer.num_triangles(), 4 * ball.num_triangles());
  EXPECT_EQ(finer.surfaces[0].name, "sphere");
  const double exact = 4 * pi / 3, before = test::volume_between_corners(ball) / exact - 1,
               after = test::volume_between_corners(finer) / exact - 1;
  EXPECT_NEAR(after / before, 0.25, 0.05);
}

TEST(Refine, KeepsTheShapeOfCurvedCells) {
  const Mesh ball = test::make_ball(3, 2), finer = refine(ball);

  EXPECT_NO_THROW(check_mesh(finer, MeshUse::volumes));
  EXPECT_EQ(finer.geometry_order, 2);
  // Both follow the same quadratic surface, which lies 3e-3 from the sphere.
  EXPECT_NEAR(test::volume_between_corners(straighten(finer)) /
                  test::volume_between_corners(straighten(refine(finer))),
              1, 1e-3);
}

/// The quadratic surface is not the sphere's: its own distance is seen too.
TEST(Refine, FindsTheSphereThatCurvedFacetsStandFor) {
  for (const int n : {3, 4}) {
    const Mesh ball = test::make_ball(n, 2);
    const double exact = 4 * pi / 3, before = test::volume_between_corners(straighten(ball)) / exact - 1,
                 after = test::volume_between_corners(*moved_flat(ball)) / exact - 1;
    EXPECT_LT(std::abs(after), 0.5 * std::abs(before)) << n;
  }
  EXPECT_FALSE(moved_flat(test::make_ball(3, 1)));
}

/// A fan of n triangles: only its rim is curved, as the tangents of the rim show.
TEST(Refine, RoundsTheRimOfADisk) {
  constexpr int n = 12;
  Mesh disk;
  disk.surfaces = {{"disk", {}}};
  disk.nodes.push_back({});
  for (int i = 0; i < n; ++i) disk.nodes.push_back({std::cos(2 * pi * i / n), std::sin(2 * pi * i / n), 0});
  for (Index i = 0; i < n; ++i) {
    const Index a = 1 + i, b = 1 + (i + 1) % n;
    disk.triangles.insert(disk.triangles.end(), {0, std::min(a, b), std::max(a, b)});
    disk.surfaces[0].entities.push_back(i);
  }
  const Mesh finer = refined_flat(disk);

  EXPECT_NEAR((area_of(finer) - pi) / (area_of(disk) - pi), 0.25, 0.05);
  for (const auto& p : finer.nodes) EXPECT_LT(std::abs(p.z), 1e-12);
}

/// A box has no curved side.
TEST(Refine, LeavesFlatSidesAndSharpEdges) {
  Mesh corner;  // two faces of a cube
  corner.surfaces = {{"corner", {0, 1}}};
  corner.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  corner.triangles = {0, 1, 2, 0, 1, 3};
  const Mesh curved = second_order(corner);

  for (Index t = 0; t < 2; ++t)
    for (int e = 0; e < 3; ++e) {
      const Index* node = curved.triangle(t);
      const auto [i, j] = triangle_edge_vertices[std::size_t(e)];
      const auto straight = 0.5 * (curved.nodes[node[i]] + curved.nodes[node[j]]);
      EXPECT_LT(norm(curved.nodes[node[3 + e]] - straight), 1e-12);
    }
  EXPECT_DOUBLE_EQ(area_of(refined_flat(corner)), area_of(corner));
}

}  // namespace
}  // namespace curlew::mesh
