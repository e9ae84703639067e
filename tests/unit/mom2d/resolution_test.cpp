// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/resolution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "mom2d/far_field.hpp"
#include "mom2d/rounding.hpp"

namespace curlew::mom2d {
namespace {

using Shape = Contour (*)(Division);
Contour ellipse(Division of) {
  return make_ellipse({0, 0}, {0.8, 0.3}, 0.2, of);
}
Contour knife(Division of) {
  return make_ellipse({0, 0}, {0.8, 0.1}, 0, of);
}
Contour circle(Division of) {
  return make_circle({0, 0}, 0.4, of);
}
/// Its third derivative jumps at points that need not be ends of cells.
Contour flower(Division of) {
  std::vector<Point2> points;
  for (int i = 0; i < 16; ++i) {
    const double t = 2 * pi * i / 16, r = 0.4 + 0.08 * std::cos(3 * t);
    points.push_back({r * std::cos(t), r * std::sin(t)});
  }
  return make_spline(points, true, of);
}
Contour square(Division of) {
  return make_rectangle({0, 0}, {0.6, 0.6}, 0.1, of);
}

struct Scatterer {
  Shape shape;
  double epsilon;  ///< 0: a conductor
  bool has_neighbour = false;
};

Solution solved(const Scatterer& of, Polarization polarization, int nodes, Division division) {
  Problem p;
  p.wavenumber = 2 * pi;
  p.polarization = polarization;
  p.equation = Equation::cfie;
  p.nodes = nodes;
  Body body;
  body.contour = of.shape(division);
  body.boundary = of.epsilon > 0 ? Boundary::dielectric : Boundary::pec;
  if (of.epsilon > 0) body.material.epsilon_r = of.epsilon;
  p.bodies = {body};
  if (of.has_neighbour) {
    Body other;
    other.contour = make_circle({0.75, 0}, 0.3, division);  // 0.05 wavelengths from the circle
    other.boundary = Boundary::pec;
    p.bodies.push_back(other);
  }
  return solve(p, {0.5}, {});
}

double largest_difference(const Solution& a, const Solution& b) {
  std::vector<double> phi;
  for (int i = 0; i < 60; ++i) phi.push_back(2 * pi * i / 60);
  const auto f = far_amplitude(a, 0, phi), g = far_amplitude(b, 0, phi);
  double largest = 0;
  for (std::size_t i = 0; i < f.size(); ++i) largest = std::max(largest, std::abs(f[i] - g[i]));
  return largest;
}

/// Twice what is left of the change covers the error of smooth contours, whose changes alone are up to 10^5
/// times as large.
TEST(Resolution, WhatHalvingLeavesCoversTheErrorOfSmoothContours) {
  const std::pair<const char*, Scatterer> scatterers[] = {
      {"ellipse", {ellipse, 0}}, {"knife", {knife, 0}},        {"glass ellipse", {ellipse, 3}},
      {"rod", {circle, 10}},     {"two", {circle, 0, true}},   {"glass and metal", {circle, 2.5, true}},
      {"flower", {flower, 0}},   {"glass flower", {flower, 4}}};
  int values = 0, tight = 0;
  double narrowest = 1;
  for (const auto& [name, of] : scatterers)
    for (const auto polarization : {Polarization::tm, Polarization::te})
      for (const int nodes : {4, 6, 8}) {
        const auto exact = solved(of, polarization, 12, {16, 0, 1});
        for (const int cells : {4, 8}) {
          const auto coarse = solved(of, polarization, nodes, {cells}),
                     fine = solved(of, polarization, nodes, {cells, 0, 1});
          const double change = largest_difference(fine, coarse), error = largest_difference(fine, exact),
                       rounding = rounding_error(fine, 0) + rounding_error(exact, 0),
                       left = left_by_halving(fine, unresolved(fine), unresolved(coarse)),
                       bar = 2 * change * left + rounding;
          ++values, tight += bar < 100 * error + 2 * rounding;
          narrowest = std::min(narrowest, left);
          EXPECT_LT(error, bar) << name << (polarization == Polarization::te ? " te " : " tm ") << nodes
                                << " nodes, " << cells << " cells";
        }
      }
  EXPECT_GE(tight, 0.5 * values) << values;
  EXPECT_LT(narrowest, 2e-3);
}

/// At corners, and with pulses, all of the change counts.
TEST(Resolution, CornersAndPulsesConvergeAlgebraically) {
  const Scatterer metal{square, 0}, round{circle, 0};
  for (const auto& [of, nodes] : {std::pair(metal, 8), std::pair(round, 1)}) {
    const auto coarse = solved(of, Polarization::tm, nodes, {8, 4}),
               fine = solved(of, Polarization::tm, nodes, {8, 4, 1});
    EXPECT_EQ(left_by_halving(fine, unresolved(fine), unresolved(coarse)), 1);
  }
}

}  // namespace
}  // namespace curlew::mom2d
