// SPDX-License-Identifier: BSD-3-Clause
// Parametrised curves as contours: against the shapes with exact cells.

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "mom2d/far_field.hpp"

namespace curlew::mom2d {
namespace {

Section quarter(int number) {
  return {[=](double t) {
            const double a = 0.5 * pi * (number + t);
            return Point2{3 + std::cos(a), std::sin(a)};
          },
          true, false};
}

/// x = cos a, y = b sin a, with a parameter that has no even speed.
Section whole_ellipse(double b, bool clockwise) {
  return {[=](double t) {
            const double a = 2 * pi * (clockwise ? -t : t) + 0.3 * std::sin(2 * pi * t);
            return Point2{std::cos(a), b * std::sin(a)};
          },
          true, true};
}

std::vector<double> widths(const Contour& contour, Polarization polarization, Equation equation) {
  Problem p;
  p.wavenumber = 4;
  p.polarization = polarization;
  p.equation = equation;
  p.nodes = 8;
  Body body;
  body.contour = contour;
  p.bodies = {body};
  return echo_width(solve(p, {0.3}, {}), 0, {0.0, 1.0, 2.0, 3.0, 4.0, 5.0});
}

TEST(Curve, QuartersOfACircleAreItsExactCells) {
  const auto circle = make_circle({3, 0}, 1, {8, 0});
  // Any of them first, and all backwards.
  for (const bool backwards : {false, true}) {
    std::vector<Section> sections;
    for (int i = 0; i < 4; ++i) {
      Section s = quarter(i);
      if (!backwards) sections.push_back(s);
      if (backwards)
        sections.insert(sections.begin(), Section{[p = s.point](double t) { return p(1 - t); }, true, false});
    }
    const auto contour = make_curve(sections, true, {8, 16});
    ASSERT_EQ(contour.panels.size(), 8U);
    EXPECT_TRUE(contour.smooth);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(contour.panels[i].curve, Curve::ellipse);
      EXPECT_NEAR(panel_length(contour.panels[i]), panel_length(circle.panels[i]), 1e-14);
      const auto q = evaluate<double>(contour.panels[i], 0);
      EXPECT_GT((q.x - 3) * q.dy - q.y * q.dx, 0) << "counter-clockwise";
    }
  }
}

TEST(Curve, PolynomialCellsOfAnEllipseScatterAsItsExactCells) {
  // Near interactions use displacement(), far ones evaluate(); both polarisations use derivatives.
  for (const bool clockwise : {false, true}) {
    const auto contour = make_curve({whole_ellipse(0.6, clockwise)}, true, {24, 0});
    EXPECT_EQ(contour.panels[0].curve, Curve::polynomial);
    const auto exact = make_ellipse({0, 0}, {1, 0.6}, 0, {24, 0});
    EXPECT_NEAR(contour_length(contour), contour_length(exact), 1e-11);
    for (const auto polarization : {Polarization::tm, Polarization::te}) {
      for (const auto equation : {Equation::efie, Equation::mfie, Equation::cfie}) {
        const auto ours = widths(contour, polarization, equation),
                   theirs = widths(exact, polarization, equation);
        for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-9 * theirs[i]);
      }
    }
  }
}

TEST(Curve, CornersAreGradedAndStraightPartsAreLines) {
  const std::vector<Point2> p{{0, 0}, {2, 0}, {1, 1}};
  std::vector<Section> sides;
  for (std::size_t i = 0; i < 3; ++i) {
    const Point2 a = p[i], b = p[(i + 1) % 3];
    sides.push_back({[=](double t) {
                       return Point2{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
                     },
                     true, false});
  }
  const auto contour = make_curve(sides, true, {9, 3}), polyline = make_polyline(p, true, {9, 3});
  ASSERT_EQ(contour.panels.size(), polyline.panels.size());
  EXPECT_FALSE(contour.smooth);
  for (std::size_t i = 0; i < contour.panels.size(); ++i) {
    EXPECT_EQ(contour.panels[i].curve, Curve::line);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(contour.panels[i].c[k], polyline.panels[i].c[k], 1e-14);
  }
}

TEST(Curve, OpenEndsAreGraded) {
  const Section parabola{[](double t) { return Point2{t, t * t}; }, true, false};
  const auto contour = make_curve({parabola}, false, {4, 10});
  EXPECT_FALSE(contour.closed);
  EXPECT_NEAR(contour_length(contour), 0.5 * std::sqrt(5.0) + 0.25 * std::asinh(2.0), 1e-12);
  EXPECT_LT(panel_length(contour.panels.front()), 1e-3 * contour_length(contour));
  EXPECT_LT(panel_length(contour.panels.back()), 1e-3 * contour_length(contour));
}

TEST(Curve, RefusesACornerInsideAndNothing) {
  const Section kink{[](double t) { return Point2{t, std::abs(t - 0.3)}; }, false, false};
  EXPECT_THROW(make_curve({kink}, false, {4, 0}), InputError);
  const Section point{[](double) { return Point2{1, 1}; }, false, false};
  EXPECT_THROW(make_curve({point}, false, {4, 0}), InputError);
  const Section nan{[](double) { return Point2{std::nan(""), 1}; }, false, false};
  EXPECT_THROW(make_curve({nan}, false, {4, 0}), InputError);
  EXPECT_THROW(make_curve({}, false, {4, 0}), InputError);
}

}  // namespace
}  // namespace curlew::mom2d
