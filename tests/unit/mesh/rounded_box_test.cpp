// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/rounded_box.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/constants.hpp"

namespace curlew::mesh {
namespace {

double area(const SurfaceGrid& grid) {
  double sum = 0;
  for (const auto& [a, b, c] : grid.triangles) {
    const Vec3<double> o = grid.vertices[std::size_t(a)];
    sum += 0.5 * norm(cross(grid.vertices[std::size_t(b)] - o, grid.vertices[std::size_t(c)] - o));
  }
  return sum;
}

TEST(RoundedBox, AroundASphereItIsASphere) {
  std::vector<Vec3<double>> points;
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j <= 30; ++j) {
      const double theta = pi * j / 30, phi = pi * i / 30;
      points.push_back(
          {1 + std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)});
    }
  const RoundedBox box = rounded_box_around(points, 0.25);
  EXPECT_NEAR(box.radius, 1.25, 1e-6);
  EXPECT_NEAR(norm(box.core), 0, 1e-6);
  EXPECT_NEAR(box.center.x, 1, 1e-12);
}

TEST(RoundedBox, KeepsItsDistanceAndTouchesIt) {
  const std::vector<Vec3<double>> points{{-3, 0, 0}, {3, 0, 0},        {0, 1, 0},
                                         {0, -1, 0}, {0.5, 0.2, -0.8}, {0, 0, 1}};
  const RoundedBox box = rounded_box_around(points, 0.2);
  double least = 1e9;
  for (const auto& p : points) least = std::min(least, box.radius - norm(p - box.nearest_of_core(p)));
  EXPECT_NEAR(least, 0.2, 1e-6);
  EXPECT_GT(box.radius, 0.5);  // rounder than the offset of the bounding box
}

/// Area of a convex body at a distance: Steiner's formula for a box of sides A, B, C.
TEST(RoundedBox, TrianglesCloseTheSurfaceAndConvergeToItsArea) {
  for (const Vec3<double> core :
       {Vec3<double>{2, 0.5, 0.3}, Vec3<double>{0, 0, 0}, Vec3<double>{0, 0, 1.5}}) {
    const RoundedBox box{{1, 2, 3}, core, 0.7};
    const double A = 2 * core.x, B = 2 * core.y, C = 2 * core.z, R = box.radius;
    const double exact = 2 * (A * B + B * C + C * A) + 2 * pi * R * (A + B + C) + 4 * pi * R * R;
    const auto coarse = triangulate(box, 0.2), fine = triangulate(box, 0.1);
    EXPECT_LT(exact - area(fine), 0.35 * (exact - area(coarse)));
    EXPECT_GT(area(fine), 0.99 * exact);
    std::map<std::pair<Index, Index>, int> edges;
    for (const auto& t : coarse.triangles)
      for (int i = 0; i < 3; ++i) ++edges[std::minmax(t[std::size_t(i)], t[std::size_t((i + 1) % 3)])];
    for (const auto& [edge, uses] : edges) EXPECT_EQ(uses, 2);
    for (const auto& x : coarse.vertices) EXPECT_NEAR(norm(x - box.nearest_of_core(x)), R, 1e-12);
  }
}

}  // namespace
}  // namespace curlew::mesh
