// SPDX-License-Identifier: BSD-3-Clause
#include "results/power.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "results/radiation_report.hpp"

namespace curlew::results {
namespace {

/// Incident 1 W: 0.2 W returns, 0.3 W goes into the load of another port, 0.1 W is heat, 0.4 W radiates
/// evenly, 0.4 W / 4 pi a steradian.
constexpr double intensity = 0.4 / (4 * pi);

TEST(PowerBudget, LoadsOfOtherPortsAreLossesAndTheMismatchIsTheRealisedGains) {
  const PowerBudget budget = port_budget(1, 0.2, 0.4);

  EXPECT_NEAR(directivity(intensity, budget), 1, 1e-14);
  EXPECT_NEAR(gain(intensity, budget), 0.5, 1e-14);
  EXPECT_NEAR(realized_gain(intensity, budget), 0.4, 1e-14);
  EXPECT_NEAR(radiation_efficiency(budget), 0.5, 1e-14);
  EXPECT_NEAR(total_efficiency(budget), 0.4, 1e-14);
}

/// Ports 1 and 2 are driven, 3 is a load: power into it is lost, power between 1 and 2 is not.
TEST(PowerBudget, OfSeveralPortsSumsThoseThatAreDriven) {
  const PortPower ports[] = {{1, 0.2}, {4, 0.3}, {0, 0.5}};
  const PowerBudget budget = combined_budget(ports, 3);

  EXPECT_NEAR(budget.incident, 5, 1e-14);
  EXPECT_NEAR(budget.accepted, 4.5, 1e-14);
  EXPECT_NEAR(radiation_efficiency(budget), 3 / 4.5, 1e-14);
  EXPECT_NEAR(total_efficiency(budget), 3.0 / 5, 1e-14);
}

/// 1 - |S|^2 of a port that reflects all is 0 or rounding: no gain of hundreds of dB, no infinity.
TEST(PowerBudget, APortThatReflectsAllHasNoGain) {
  for (const double reflected : {1.0, 1 - 2e-16, 1 + 2e-16}) {
    const PowerBudget budget = port_budget(1, reflected, 1e-9);
    EXPECT_FALSE(accepts_power(budget));
    EXPECT_EQ(gain(intensity, budget), 0);
    EXPECT_EQ(radiation_efficiency(budget), 0);
    EXPECT_NEAR(realized_gain(intensity, budget), 0.4, 1e-14);
  }
  EXPECT_TRUE(accepts_power(port_budget(1, 1 - 1e-9, 1e-9)));
  EXPECT_EQ(directivity(0, port_budget(1, 1, 0)), 0);
}

TEST(PowerBudget, ASourceHasNoMismatch) {
  const PowerBudget budget = source_budget(0.8, 0.4);

  EXPECT_NEAR(gain(intensity, budget), 0.5, 1e-14);
  EXPECT_EQ(gain(intensity, budget), realized_gain(intensity, budget));
}

/// Crossed short dipoles at the origin, that along y a quarter of a period behind: towards +z
/// Re E exp(jwt) goes from x to y, with the right hand along +z; towards -z the sense is the other one.
TEST(FarFieldRows, QuadratureAlongXAndYIsRightHandedUpwardsAndLeftHandedDownwards) {
  const Vec3<Complex> field{1.0, {0.0, -1.0}, 0.0};
  const std::vector<fields::Direction> directions{{0, 0}, {pi, 0}, {pi / 2, 0}};
  std::vector<Complex> theta, phi;
  for (const auto& d : directions)
    theta.push_back(dot(d.theta_unit(), field)), phi.push_back(dot(d.phi_unit(), field));

  const double power = 4 * pi / vacuum_impedance;  // evenly the intensity 2 / (2 eta)
  const auto rows = far_field_rows({"crossed", 1e9, directions, theta, phi}, source_budget(power, power));

  EXPECT_NEAR(rows[0].gain, 1, 1e-14);
  EXPECT_NEAR(rows[0].gain_right, 1, 1e-14);
  EXPECT_NEAR(rows[0].gain_left, 0, 1e-14);
  EXPECT_NEAR(rows[0].axial_ratio_db, 0, 1e-6);
  EXPECT_NEAR(rows[1].gain_right, 0, 1e-14);
  EXPECT_NEAR(rows[1].gain_left, 1, 1e-14);
  EXPECT_NEAR(rows[2].gain_right, rows[2].gain / 2, 1e-14);  // linear
  EXPECT_NEAR(rows[2].gain_left, rows[2].gain / 2, 1e-14);
  EXPECT_EQ(rows[1].theta_deg, 180);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].e_theta, theta[i]);
    EXPECT_EQ(rows[i].e_phi, phi[i]);
  }
}

/// Up, all phi are one direction, in which rounding makes the second row the greatest.
TEST(Radiation, TheMaximumOnTheAxisIsThatOfTheFirstPhi) {
  const std::vector<fields::Direction> directions{{pi / 2, 0}, {0, 0.1}, {0, 2}};
  const std::vector<Complex> theta{0.5, 1, 1 + 1e-13}, phi{0, 0, 0};

  const auto rows = far_field_rows({"patch", 1e9, directions, theta, phi}, source_budget(1, 1));

  EXPECT_EQ(greatest(rows).phi_deg, rows[1].phi_deg);
}

}  // namespace
}  // namespace curlew::results
