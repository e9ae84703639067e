// SPDX-License-Identifier: BSD-3-Clause
#include "report/cuts.hpp"

#include <gtest/gtest.h>

namespace curlew::report {
namespace {

Sphere sphere(double theta_step, double phi_step, double phi_end) {
  Sphere made;
  for (double theta = 0; theta <= 180; theta += theta_step)
    for (double phi = 0; phi <= phi_end; phi += phi_step) made[theta][phi] = 0;
  return made;
}

double at(const Curve& curve, double x) {
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (curve.x[i] == x) return curve.y[i];
  ADD_FAILURE() << curve.name << " has no " << x;
  return 0;
}

TEST(Cuts, BothHalfPlanesAreOne) {
  auto grid = sphere(90, 90, 180);
  for (auto& [theta, around] : grid)
    for (auto& [phi, value] : around) value = theta + 1000 * phi;
  const auto found = cuts(grid);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "phi 0°");
  EXPECT_EQ(found[0].x, (std::vector<double>{-180, -90, 0, 90, 180}));
  EXPECT_EQ(at(found[0], -90), 180090);
  EXPECT_EQ(found[1].name, "phi 90°");
  EXPECT_EQ(found[1].x, (std::vector<double>{0, 90, 180}));
}

TEST(Cuts, ASphereIsCutThroughItsMaximum) {
  auto grid = sphere(10, 10, 350);
  grid[60][250] = 9;
  const auto found = cuts(grid);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "phi 70°");
  EXPECT_EQ(at(found[0], -60), 9);
  EXPECT_EQ(found[1].name, "theta 60°");
  EXPECT_EQ(at(found[1], -110), 9);
}

/// The lobe of a dipole is flatter than what counts as alike.
TEST(Cuts, AFlatLobeIsCutInItsMiddle) {
  auto grid = sphere(2, 10, 350);
  for (auto& [theta, around] : grid) around[60] = 9 - 0.002 * (theta - 90) * (theta - 90);
  EXPECT_EQ(cuts(grid).back().name, "theta 90°");
}

/// Two planes of a patch, not a cone around its axis, unless the angles lack the second one.
TEST(Cuts, ABeamNearTheAxisHasTwoPlanes) {
  auto grid = sphere(10, 10, 350);
  grid[10][250] = 9;
  grid[10][160] = 8;
  auto found = cuts(grid);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(at(found[0], -10), 9);
  EXPECT_EQ(found[1].name, "phi 160°");
  EXPECT_EQ(at(found[1], 10), 8);
  grid = sphere(10, 40, 320);
  grid[170][120] = 9;
  found = cuts(grid);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].name, "theta 170°");
}

TEST(Cuts, AnAzimuthCutIsOneCurve) {
  Sphere ring;
  for (double phi = 0; phi <= 360; phi += 2) ring[90][phi] = 0;
  const auto found = cuts(ring);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "theta 90°");
  EXPECT_EQ(found[0].x.front(), -180);
  EXPECT_EQ(found[0].x.back(), 180);
}

TEST(Cuts, TheCutStaysTheSameWhereAllAreAlike) {
  auto grid = sphere(10, 10, 350);
  for (auto& [phi, value] : grid[90]) value = 1;
  grid[90][250] += 1e-3;
  EXPECT_EQ(cuts(grid)[0].name, "phi 0°");
}

}  // namespace
}  // namespace curlew::report
