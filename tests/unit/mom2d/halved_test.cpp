// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/halved.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace curlew::mom2d {
namespace {

/// Points and derivatives of both halves lie on the cell.
void expect_on_the_same_curve(const Contour& contour) {
  for (const Panel& panel : contour.panels) {
    const auto halves = halves_of(panel);
    for (const int h : {0, 1}) {
      for (const double s : {-1.0, -0.3, 0.4, 1.0}) {
        const CurvePoint part = evaluate<double>(halves[std::size_t(h)], s);
        const CurvePoint whole = evaluate<double>(panel, 0.5 * (s + 2 * h - 1));
        EXPECT_NEAR(part.x, whole.x, 1e-13);
        EXPECT_NEAR(part.y, whole.y, 1e-13);
        EXPECT_NEAR(part.dx, 0.5 * whole.dx, 1e-12);
        EXPECT_NEAR(part.dy, 0.5 * whole.dy, 1e-12);
      }
    }
  }
  EXPECT_EQ(halved(contour).panels.size(), 2 * contour.panels.size());
  EXPECT_NEAR(contour_length(halved(contour)), contour_length(contour), 1e-9);
}

TEST(Halved, LinesEllipsesAndPolynomials) {
  expect_on_the_same_curve(make_rectangle({0.2, -0.1}, {2, 1}, 0.3, {8, 3}));
  expect_on_the_same_curve(make_ellipse({0.2, -0.1}, {2, 1}, 0.3, {5}));
  const Section parabola{[](double t) { return Point2{t, t * t - 0.3 * t * t * t}; }, true, false};
  expect_on_the_same_curve(make_curve({parabola}, false, {4}));
}

}  // namespace
}  // namespace curlew::mom2d
