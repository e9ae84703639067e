// SPDX-License-Identifier: BSD-3-Clause
// Physical curves: followed to rounding, joined in any order, written and read.

#include "mesh/curves.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::mesh {
namespace {

using Point = Vec3<double>;

CurveSection arc(double from, double to) {
  return follow(
      [=](double t) {
        return Point{std::cos(from + t * (to - from)), std::sin(from + t * (to - from)), 0};
      },
      2);
}
CurveSection line(Point a, Point b) {
  return follow([=](double t) { return a + t * (b - a); }, 1);
}

TEST(Curves, AreFollowedToRounding) {
  // The second derivative of the third function jumps, as that of a spline does.
  const std::function<Point(double)> functions[] = {[](double t) {
                                                      return Point{std::cos(6 * t), std::sin(6 * t), 0};
                                                    },
                                                    [](double t) {
                                                      return Point{t, 1 / (1 + 100 * t * t), 0};
                                                    },
                                                    [](double t) {
                                                      return Point{t, t < 0.3 ? 0 : (t - 0.3) * (t - 0.3), 0};
                                                    }};
  for (const auto& f : functions) {
    const auto section = follow(f, 1);
    for (int i = 0; i <= 1000; ++i)
      EXPECT_LT(norm(evaluate(section, i / 1000.0) - f(i / 1000.0)), 1e-12) << i;
  }
  EXPECT_THROW(follow([](double t) { return Point{t, std::abs(t - 0.3), 0}; }, 1), InputError);
}

TEST(Curves, SectionsAreJoinedInAnyOrderAndDirection) {
  const auto half = join_sections("half", {arc(pi, 0), line({-1, 0, 0}, {1, 0, 0})}, 2);
  EXPECT_TRUE(half.closed);
  EXPECT_LT(norm(half.sections[0].points.back() - half.sections[1].points.front()), 1e-12);

  const auto open = join_sections(
      "open", {line({1, 0, 0}, {2, 0, 0}), line({2, 1, 0}, {2, 0, 0}), line({1, 0, 0}, {0, 0, 0})}, 2);
  EXPECT_FALSE(open.closed);
  ASSERT_EQ(open.sections.size(), 3U);
  for (std::size_t i = 1; i < 3; ++i)
    EXPECT_LT(norm(open.sections[i - 1].points.back() - open.sections[i].points.front()), 1e-12);
  // A reversed section is the same curve.
  EXPECT_LT(norm(evaluate(half.sections[0], 0.25) - Point{-std::sqrt(0.5), std::sqrt(0.5), 0}) *
                norm(evaluate(half.sections[0], 0.25) - Point{std::sqrt(0.5), std::sqrt(0.5), 0}),
            1e-12);
  EXPECT_TRUE(join_sections("circle", {arc(0, 2 * pi)}, 2).closed);
}

TEST(Curves, BranchesAndSeveralContoursAreErrors) {
  const auto a = line({0, 0, 0}, {1, 0, 0}), b = line({1, 0, 0}, {2, 0, 0}), c = line({1, 0, 0}, {1, 1, 0}),
             far = line({5, 0, 0}, {6, 0, 0});
  EXPECT_THROW(join_sections("branch", {a, b, c}, 6), InputError);
  EXPECT_THROW(join_sections("two", {a, far}, 6), InputError);
}

TEST(Curves, ComeBackFromTheirFile) {
  const auto path =
      (std::filesystem::temp_directory_path() / ("curves_test_" + std::to_string(getpid()) + ".h5")).string();
  auto curve = join_sections("half moon", {arc(pi, 0), line({-1, 0, 0}, {1, 0, 0})}, 2);
  curve.sections[0].analytic = true;
  write_curves({curve}, path, {});
  const auto read = read_curves(path);
  EXPECT_TRUE(is_curve_file(path));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].name, "half moon");
  EXPECT_TRUE(read[0].closed);
  EXPECT_TRUE(read[0].sections[0].analytic);
  EXPECT_FALSE(read[0].sections[1].analytic);
  EXPECT_EQ(evaluate(read[0].sections[0], 0.37), evaluate(curve.sections[0], 0.37));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace curlew::mesh
