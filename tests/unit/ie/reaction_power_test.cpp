// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/reaction_power.hpp"

#include <gtest/gtest.h>

#include "ie/results/far_fields.hpp"
#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

/// The same power by two integrals that share the points alone: over the sphere of directions, and over pairs
/// of points. Both against Mie. The rule over edges leaves 3e-4 at this mesh (the divergence of J and J
/// itself are integrated apart); a wrong factor of charges or of the points' own part leaves more than a
/// tenth.
TEST(ReactionPower, IsThatOfTheSphereOfDirectionsAndOfMie) {
  const double ka = 3;
  const System system(equal_volume_problem(6, ka, Equation::cfie));
  auto x = solve_directly(system, mie_wave());
  const auto n = x.size();
  x.resize(2 * n);
  for (std::size_t i = 0; i < n; ++i) x[n + i] = Complex(0, 2) * x[i];  // four times the power

  const auto sphere = FarFields(system).powers_on_sphere(x.data(), 2);
  const auto reaction = reaction_power(radiating_points(system), x.data(), 2, Device::cpu);

  const double q = 2 * vacuum_impedance / pi;
  EXPECT_NEAR(reaction[0] / sphere[0], 1, 1e-3);
  EXPECT_NEAR(reaction[1] / reaction[0], 4, 1e-9);
  EXPECT_NEAR(q * reaction[0] / test::Mie(test::conducting_sphere(1), ka).q_scattering(), 1, 2e-2);
}

/// A body far below the wavelength radiates some 1e-9 of what its terms could: coarse sums in single
/// precision miss it by a percent, so that the finer ones must be taken. Against the sphere of directions.
TEST(ReactionPower, OfASmallBodyTakesTheFinerSums) {
  const System system(equal_volume_problem(3, 0.001, Equation::efie));
  const auto x = solve_directly(system, mie_wave());
  const auto sphere = FarFields(system).powers_on_sphere(x.data(), 1);
  const auto reaction = reaction_power(radiating_points(system), x.data(), 1, Device::cpu);
  EXPECT_NEAR(reaction[0] / sphere[0], 1, 1e-3);
}

/// Test of the power balance of conductors: it fails if the currents do not solve the equations.
TEST(ReactionPower, BalanceFailsForWrongCurrents) {
  const System system(equal_volume_problem(4, 2, Equation::efie));
  auto x = solve_directly(system, mie_wave());
  const auto wave = mie_wave();
  const auto right = cross_sections(system, x.data(), std::span(&wave, 1)).front();
  for (Complex& value : x) value *= 1.1;
  const auto wrong = cross_sections(system, x.data(), std::span(&wave, 1)).front();

  EXPECT_EQ(right.absorption, 0);
  EXPECT_LT(right.imbalance(), 2e-3);
  EXPECT_NEAR(wrong.imbalance(), 0.1, 0.01);  // scattering grows with the square
}

}  // namespace
}  // namespace curlew::ie
