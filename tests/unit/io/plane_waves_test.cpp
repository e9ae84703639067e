// SPDX-License-Identifier: BSD-3-Clause
#include "io/plane_waves.hpp"

#include <gtest/gtest.h>

#include "green/plane_wave.hpp"

namespace curlew::io {
namespace {

Vec3<double> electric(const std::string& polarization) {
  const auto wave =
      read_plane_waves(Config::parse("theta = 90\nphi = 0\npolarization = " + polarization, "a.toml")).at(0);
  return green::ArrivingWave{wave.theta_deg * pi / 180, wave.phi_deg * pi / 180, wave.angle}
      .electric_direction();
}

/// A wave from +x: theta^ = -z, phi^ = y.
TEST(PlaneWaves, PolarizationTurnsFromThetaTowardsPhi) {
  const double c = std::sqrt(3.0) / 2;
  EXPECT_LT(norm(electric("\"theta\"") - Vec3<double>{0, 0, -1}), 1e-14);
  EXPECT_LT(norm(electric("\"phi\"") - Vec3<double>{0, 1, 0}), 1e-14);
  EXPECT_LT(norm(electric("30") - Vec3<double>{0, 0.5, -c}), 1e-14);
  EXPECT_LT(norm(electric("-30") - Vec3<double>{0, -0.5, -c}), 1e-14);
}

TEST(PlaneWaves, AllCombinationsOfAnglesInTheirOrder) {
  const auto waves =
      read_plane_waves(Config::parse("theta = [10, 20]\nphi = [30, 40]\npolarization = [0, 45.5]", "a.toml"));
  ASSERT_EQ(waves.size(), 8U);
  EXPECT_EQ(waves[3].theta_deg, 10);
  EXPECT_EQ(waves[3].phi_deg, 40);
  EXPECT_EQ(waves[3].polarization, "45.5");
  EXPECT_EQ(waves[4].theta_deg, 20);
}

}  // namespace
}  // namespace curlew::io
