// SPDX-License-Identifier: BSD-3-Clause
#include "fields/pattern.hpp"

#include <gtest/gtest.h>

namespace curlew::fields {
namespace {

/// A dipole along z, E_theta ~ sin(theta), and one half as strong beside it: the greatest is at 90 degrees,
/// of both components together.
TEST(Peak, IsTheGreatestOfBothComponents) {
  const std::vector<double> theta{0, 45, 90, 135}, phi{0, 30};
  const auto directions = directions_at(theta, phi);
  ASSERT_EQ(directions.size(), 8);
  FarField far;
  for (const auto& d : directions) {
    far.e_theta.emplace_back(0, 3 * std::sin(d.theta));
    far.e_phi.emplace_back(d.phi > 0.1 ? 4 * std::sin(d.theta) : 0);
  }
  const Peak peak = peak_of(directions, far);
  EXPECT_NEAR(peak.direction.theta, std::acos(0), 1e-12);
  EXPECT_NEAR(peak.direction.phi, std::acos(0) / 3, 1e-12);
  EXPECT_NEAR(peak.square(), 25, 1e-12);
}

}  // namespace
}  // namespace curlew::fields
