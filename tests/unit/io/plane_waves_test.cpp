// SPDX-License-Identifier: BSD-3-Clause
#include "io/plane_waves.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "green/plane_wave.hpp"
#include "io/ranges.hpp"

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

/// The notation of far_field, where three angles in that order make no sense.
TEST(PlaneWaves, AnglesCanBeARange) {
  const auto phis = [](const std::string& phi) {
    std::vector<double> angles;
    for (const auto& w : read_plane_waves(Config::parse("theta = 90\nphi = " + phi, "a.toml")))
      angles.push_back(w.phi_deg);
    return angles;
  };
  const auto cut = phis("[0, 180, 91]");
  ASSERT_EQ(cut.size(), 91U);
  EXPECT_EQ(cut[1], 2);
  EXPECT_EQ(cut[90], 180);
  EXPECT_EQ(phis("[360, 0, 37]").at(1), 350);
  EXPECT_EQ(phis("[-45, 45, 19]").at(1), -40);
  EXPECT_EQ(phis("[90, 0, 181]").size(), 181U);
  using Angles = std::vector<double>;
  for (const Angles& list : {Angles{0, 45, 90},
                             {0, 120, 240},
                             {0, 180, 90},
                             {0, 90, 45},
                             {10, 20, 15.5},
                             {0, 30, 31},
                             {0, 1, 2},
                             {0, 180}}) {
    std::string text;
    for (const double a : list) text += (text.empty() ? "[" : ", ") + std::to_string(a);
    EXPECT_EQ(phis(text + "]"), list) << text;
  }
  EXPECT_EQ(meaning_of({0, 30, 31}), ThreeAngles::either);
  EXPECT_EQ(meaning_of({0, 45, 90}), ThreeAngles::list);
}

}  // namespace
}  // namespace curlew::io
