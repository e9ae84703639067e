// SPDX-License-Identifier: BSD-3-Clause
// Closed forms over a triangle whose answers follow from symmetry and from differences.
#include "quadrature/triangle_potentials.hpp"

#include <gtest/gtest.h>

namespace curlew::quadrature {
namespace {

using Point = Vec3<double>;

TriangleFrame triangle_at(Point origin) {
  return make_frame(origin, origin + Point{0.3, 0.1, -0.2}, origin + Point{0.05, 0.25, 0.1});
}

Point inside(const TriangleFrame& f, double second, double third) {
  return (1 - second - third) * f.corner[0] + second * f.corner[1] + third * f.corner[2];
}

// In the plane the contributions of both sides cancel: the principal value has no part along the normal,
// wherever the triangle lies. A kilometre away coordinates are rounded by 1e-13 m, 1e-12 of a triangle; half
// a solid angle would be 6.28.
TEST(TrianglePotentials, GradientInThePlaneHasNoNormalPartNearAndFarFromTheOrigin) {
  for (const Point origin :
       {Point{0, 0, 0}, Point{0.7, -0.3, 0.2}, Point{-310, 950, 120}, Point{2e4, 1e4, -3e4}}) {
    const TriangleFrame f = triangle_at(origin);
    for (const auto& [second, third] : {std::pair{0.2, 0.3}, {0.6, 0.1}, {0.33, 0.33}, {0.05, 0.9}}) {
      const auto there = triangle_potentials(f, inside(f, second, third));
      const TriangleFrame home = triangle_at({0, 0, 0});
      const auto here = triangle_potentials(home, inside(home, second, third));
      EXPECT_NEAR(dot(there.gradient, f.normal), 0, 1e-7) << origin.x;
      EXPECT_NEAR(norm(there.gradient - here.gradient), 0, 1e-7) << origin.x;
    }
  }
}

TEST(TrianglePotentials, GradientIsTheDifferenceOfThePotential) {
  const TriangleFrame f = triangle_at({0, 0, 0});
  constexpr double step = 1e-6;
  for (const double height : {1e-3, -0.02, 0.4}) {
    const Point r = inside(f, 0.25, 0.4) + height * f.normal;
    for (const Point& axis : {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}}) {
      const double difference = (triangle_potentials(f, r + step * axis).inverse -
                                 triangle_potentials(f, r - step * axis).inverse) /
                                (2 * step);
      EXPECT_NEAR(dot(triangle_potentials(f, r).gradient, axis), difference, 1e-5);
    }
  }
}

}  // namespace
}  // namespace curlew::quadrature
