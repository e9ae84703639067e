// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "mom2d/far_field.hpp"

namespace curlew::mom2d {
namespace {

Solution solved(const Contour& contour, Equation equation, Boundary boundary = Boundary::pec) {
  Problem p;
  p.wavenumber = 2 * pi;
  p.polarization = Polarization::te;
  p.equation = equation;
  p.nodes = 6;
  Body body;
  body.contour = contour;
  body.boundary = boundary;
  body.material.epsilon_r = 4;
  p.bodies = {body};
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

/// The MFIE has no N: it keeps its digits at corners where the CFIE loses them.
TEST(Rounding, CoversTheLossAtDeeplyGradedCornersInTe) {
  const auto square = [](int grading) { return make_rectangle({0, 0}, {1, 1}, 0.1, {8, grading}); };
  const auto exact = solved(square(24), Equation::mfie);
  for (const int grading : {30, 40}) {
    const auto s = solved(square(grading), Equation::cfie);
    const double lost = largest_difference(s, exact), bar = rounding_error(s, 0);
    EXPECT_LT(lost, bar) << grading;
    EXPECT_GT(lost, 1e-4 * bar) << grading;  // rounding errors vary by tens
  }
  EXPECT_LT(rounding_error(exact, 0), 1e-9);
}

/// On sheets Hz jumps by nothing at the rims, and between dielectrics N cancels: no digit is lost there.
TEST(Rounding, IsSmallWhereNothingIsLost) {
  const auto strip = [](int grading) { return make_strip({-1, 0}, {1, 0}, {6, grading}); };
  const auto glass = [](int grading) { return make_rectangle({0, 0}, {0.5, 0.5}, 0, {4, grading}); };
  const auto deep = solved(strip(40), Equation::efie), less = solved(strip(34), Equation::efie);
  EXPECT_LT(largest_difference(deep, less), rounding_error(deep, 0) + rounding_error(less, 0));
  EXPECT_LT(rounding_error(deep, 0), 1e-9);
  const auto block = solved(glass(38), Equation::cfie, Boundary::dielectric),
             coarser = solved(glass(34), Equation::cfie, Boundary::dielectric);
  EXPECT_LT(largest_difference(block, coarser), rounding_error(block, 0) + rounding_error(coarser, 0));
  EXPECT_LT(rounding_error(block, 0), 1e-9);
}

}  // namespace
}  // namespace curlew::mom2d
