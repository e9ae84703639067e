// SPDX-License-Identifier: BSD-3-Clause
// Against lines: length over velocity, and over the group velocity of a hollow guide.
#include "base/group_delay.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"

namespace curlew {
namespace {

TEST(GroupDelay, OfALineIsItsLengthOverTheVelocity) {
  const double length = 0.03, velocity = 0.7 * speed_of_light;
  for (const std::vector<double>& frequencies :
       {std::vector<double>{1e9, 1.5e9}, {1e9, 1.2e9, 2e9}, {0, 1e9, 1.1e9, 2.5e9, 2.6e9}}) {
    std::vector<Complex> s;
    for (const double f : frequencies) s.push_back(0.3 * std::polar(1.0, 2 - 2 * pi * f * length / velocity));
    for (const auto& delay : group_delays(frequencies, s)) {
      ASSERT_TRUE(delay);
      EXPECT_NEAR(*delay / (length / velocity), 1, 1e-12);
    }
  }
}

/// dβ/dω = ω / (c² β). Source: Pozar (2012), section 3.1; central differences err by the third derivative.
TEST(GroupDelay, OfAHollowGuideGrowsTowardsItsCutOff) {
  const double length = 0.02, kc = pi / 22.86e-3;
  std::vector<double> frequencies;
  std::vector<Complex> s;
  const auto beta = [&](double f) { return std::sqrt(std::pow(2 * pi * f / speed_of_light, 2) - kc * kc); };
  for (double f = 8e9; f < 12.05e9; f += 0.1e9) {
    frequencies.push_back(f);
    s.push_back(std::polar(1.0, -beta(f) * length));
  }
  const auto delays = group_delays(frequencies, s);
  for (std::size_t i = 0; i < delays.size(); ++i) {
    const double w = 2 * pi * frequencies[i],
                 exact = length * w / (speed_of_light * speed_of_light * beta(frequencies[i]));
    EXPECT_NEAR(*delays[i] / exact, 1, 3e-3) << frequencies[i];
  }
}

TEST(GroupDelay, IsLeftEmptyWhereItIsNotKnown) {
  const auto at = [](double degrees) { return std::polar(1.0, degrees * pi / 180); };
  EXPECT_FALSE(group_delays(std::vector<double>{1e9}, std::vector<Complex>{1.0})[0]);
  const auto turned = group_delays(std::vector<double>{1e9, 2e9, 3e9, 4e9, 5e9},
                                   std::vector<Complex>{at(0), at(-30), at(-60), at(-200), at(-230)});
  EXPECT_TRUE(turned[1]);
  EXPECT_FALSE(turned[2] || turned[3]);
  EXPECT_FALSE(group_delays(std::vector<double>{1e9, 2e9}, std::vector<Complex>{0.0, 1.0})[1]);
}

}  // namespace
}  // namespace curlew
