// SPDX-License-Identifier: BSD-3-Clause
// Contours, and every error that a problem can provoke.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "message_of.hpp"
#include "mom2d/far_field.hpp"

namespace curlew::mom2d {
namespace {

Body body_of(Contour contour, const char* name = "body") {
  Body body;
  body.contour = std::move(contour);
  body.contour.name = name;
  return body;
}

Problem with(std::vector<Body> bodies, Equation equation = Equation::cfie) {
  Problem p;
  p.wavenumber = 2;
  p.equation = equation;
  p.nodes = 4;
  p.bodies = std::move(bodies);
  return p;
}

/// The text of the InputError that a call throws.
template <class F>
std::string message(F&& call) {
  return test::message_of<InputError>(call);
}
std::string refusal(const Problem& p) {
  return message([&] { make_scene(p); });
}
bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST(Contours, HaveTheirLengthsAndNormals) {
  const double pi2 = 2 * pi;
  EXPECT_NEAR(contour_length(make_circle({1, 2}, 3, {7, 0})), 3 * pi2, 1e-12);
  EXPECT_NEAR(contour_length(make_rectangle({0, 0}, {2, 1}, 0.4, {10, 5})), 6, 1e-12);
  EXPECT_NEAR(contour_length(make_strip({0, 0}, {3, 4}, {3, 10})), 5, 1e-12);
  // A clockwise polyline is turned around: normals point out of the body.
  const auto nodes = make_nodes({body_of(make_polyline({{0, 0}, {0, 1}, {1, 1}, {1, 0}}, true, {8, 2}))}, 3);
  for (std::size_t i = 0; i < nodes.x.size(); ++i) {
    EXPECT_GT((nodes.x[i] - 0.5) * nodes.nx[i] + (nodes.y[i] - 0.5) * nodes.ny[i], 0);
  }
}

TEST(Contours, SplineThroughACircleScattersLikeIt) {
  std::vector<Point2> points;
  for (int i = 0; i < 64; ++i) points.push_back({std::cos(2 * pi * i / 64), std::sin(2 * pi * i / 64)});
  const auto spline = solve(with({body_of(make_spline(points, true, {64, 0}))}), {0.0}, {});
  const auto circle = solve(with({body_of(make_circle({0, 0}, 1, {24, 0}))}), {0.0}, {});
  const double a = echo_width(spline, 0, {1.0})[0], b = echo_width(circle, 0, {1.0})[0];
  EXPECT_NEAR(a, b, 2e-5 * b);  // h^4/384 of the fourth derivative
}

TEST(Contours, RefuseWhatIsNoShape) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(says(message([] { make_circle({0, 0}, 0, {8, 0}); }), "positive length"));
  EXPECT_TRUE(says(message([&] { make_circle({0, 0}, nan, {8, 0}); }), "positive length"));
  EXPECT_TRUE(says(message([&] { make_circle({nan, 0}, 1, {8, 0}); }), "finite"));
  EXPECT_TRUE(says(message([] { make_circle({0, 0}, 1, {0, 0}); }), "at least one cell"));
  EXPECT_TRUE(says(message([] { make_strip({0, 0}, {1, 0}, {4, 60}); }), "grading"));
  EXPECT_TRUE(says(message([] { make_strip({1, 1}, {1, 1}, {4, 0}); }), "zero length"));
  EXPECT_TRUE(says(message([] {
                     make_polyline({{0, 0}, {1, 0}, {1, 0}, {0, 1}}, true, {8, 0});
                   }),
                   "points 2 and 3"));
  EXPECT_TRUE(says(message([] { make_polyline({{0, 0}, {1, 0}}, true, {8, 0}); }), "at least 3 points"));
  EXPECT_TRUE(says(message([&] { make_polyline({{0, 0}, {nan, 0}, {1, 1}}, true, {8, 0}); }), "finite"));
}

TEST(Problems, RefuseWhatHasNoMeaning) {
  const Body circle = body_of(make_circle({0, 0}, 1, {12, 0}), "one");
  const Body strip = body_of(make_strip({3, 0}, {4, 0}, {4, 0}), "strip");
  EXPECT_TRUE(says(refusal(with({})), "no contour"));
  EXPECT_TRUE(says(refusal(with({strip}, Equation::mfie)), "open: equation = \"mfie\""));
  EXPECT_TRUE(says(refusal(with({strip}, Equation::cfie)), "open: equation = \"cfie\""));
  EXPECT_EQ(refusal(with({strip}, Equation::efie)), "nothing");
  EXPECT_TRUE(says(refusal(with({circle, body_of(make_circle({1, 0}, 1, {12, 0}), "two")})),
                   "\"one\" and \"two\" cross"));
  EXPECT_TRUE(says(refusal(with({circle, body_of(make_circle({0, 0}, 0.5, {12, 0}), "two")})),
                   "inside the conductor \"one\""));
  const auto eight = make_polyline({{0, 0}, {1, 1}, {1, 0}, {0, 1.5}}, true, {8, 0});
  EXPECT_TRUE(says(refusal(with({body_of(eight, "eight")})), "\"eight\" crosses or touches itself"));

  Body sheet = strip;
  sheet.boundary = Boundary::dielectric;
  EXPECT_TRUE(says(refusal(with({sheet}, Equation::efie)), "only a closed one"));
  Body active = circle;
  active.boundary = Boundary::dielectric;
  active.material.epsilon_r = {2, 0.1};
  EXPECT_TRUE(says(refusal(with({active})), "passive"));
  Body wall = circle;
  wall.boundary = Boundary::impedance;
  wall.surface_impedance = -1;
  EXPECT_TRUE(says(refusal(with({wall})), "passive surface impedance"));

  Problem p = with({circle});
  p.wavenumber = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(says(refusal(p), "wave number"));
  p = with({circle});
  p.nodes = 13;
  EXPECT_TRUE(says(refusal(p), "1..12"));
  p = with({circle});
  p.alpha = 1.5;
  EXPECT_TRUE(says(refusal(p), "alpha"));
  p = with({circle});
  p.method = Method::mom;
  EXPECT_TRUE(says(refusal(p), "one node per cell"));
  p.nodes = 1;
  p.paper_mom = true;
  EXPECT_TRUE(says(refusal(p), "integration = \"accurate\""));
}

TEST(Problems, RefuseWaves) {
  const Problem p = with({body_of(make_circle({0, 0}, 1, {12, 0}))});
  EXPECT_TRUE(says(message([&] { solve(p, {}, {}); }), "angle"));
  EXPECT_TRUE(says(message([&] { solve(p, {HUGE_VAL}, {}); }), "finite"));
}

TEST(Problems, TooLargeForTheMemoryIsRefusedWithTheSize) {
  Problem p = with({body_of(make_circle({0, 0}, 1, {200000, 0}))});
  p.nodes = 10;  // 64 TB
  try {
    solve(p, {0.0}, {});
    FAIL();
  } catch (const ResourceError& e) {
    EXPECT_TRUE(says(e.what(), "the matrix of mom2d")) << e.what();
    EXPECT_TRUE(says(e.what(), "GiB") || says(e.what(), "TiB") || says(e.what(), "GB")) << e.what();
  }
}

}  // namespace
}  // namespace curlew::mom2d
