// SPDX-License-Identifier: BSD-3-Clause
// What `radiation = "auto"` decides by: against the measured seconds it was fitted to, at both ends, and that
// more of one thing never turns the decision back.
#include "truncation/radiation_cost.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"

namespace curlew::truncation {
namespace {

/// Spheres with n points each, of so many wavelengths.
RadiationTask spheres(double n, double diameter, Index columns = 1, int evaluations = 8) {
  return {n, n, pi * diameter * diameter, columns, evaluations};
}

bool takes_ngim(const RadiationTask& task, Device device) {
  const RadiationCosts costs = radiation_costs(device);
  return ngim_seconds(costs, task) < direct_seconds(costs, task);
}

class RadiationDecision : public testing::TestWithParam<Device> {};

TEST_P(RadiationDecision, FewPointsTakeAllPairsAndManyTakeNgim) {
  for (const Index columns : {1, 10, 100})
    for (const double diameter : {0.5, 2.0, 8.0}) {
      EXPECT_FALSE(takes_ngim(spheres(1000, diameter, columns), GetParam()));
      EXPECT_TRUE(takes_ngim(spheres(1e6, diameter, columns), GetParam()));
    }
}

TEST_P(RadiationDecision, MorePointsAndMoreEvaluationsNeverTurnBackToAllPairs) {
  for (const Index columns : {1, 3, 16, 17, 91})
    for (const double diameter : {1.0, 8.0}) {
      bool before = false;
      for (double n = 100; n < 1e7; n *= 1.3) {
        const bool now = takes_ngim(spheres(n, diameter, columns), GetParam());
        EXPECT_TRUE(now || !before) << n << " points";
        before = now;
      }
      before = false;
      for (int evaluations = 1; evaluations < 1000; evaluations *= 2) {
        const bool now = takes_ngim(spheres(40000, diameter, columns, evaluations), GetParam());
        EXPECT_TRUE(now || !before) << evaluations << " evaluations";
        before = now;
      }
    }
}

TEST_P(RadiationDecision, SeveralColumnsShareAllPairsButNotNgim) {
  const RadiationCosts costs = radiation_costs(GetParam());
  RadiationTask one = spheres(1e5, 4), ten = spheres(1e5, 4, 10);

  const double direct = direct_seconds(costs, ten) / direct_seconds(costs, one);
  const double setup = ngim_seconds(costs, spheres(1e5, 4, 1, 0));
  const double ngim = (ngim_seconds(costs, ten) - setup) / (ngim_seconds(costs, one) - setup);

  EXPECT_GT(direct, 2.5);  // 3 on the GPU, 4.4 on the CPU
  EXPECT_LT(direct, 5);
  EXPECT_NEAR(ngim, 10, 1e-9);
}

TEST_P(RadiationDecision, CountsTheSetUpOnce) {
  const RadiationCosts costs = radiation_costs(GetParam());
  const auto seconds = [&](int evaluations) { return ngim_seconds(costs, spheres(1e5, 4, 1, evaluations)); };

  EXPECT_GT(seconds(1), 2 * (seconds(2) - seconds(1)));
  EXPECT_NEAR(seconds(9) - seconds(8), seconds(2) - seconds(1), 1e-9 * seconds(9));
}

INSTANTIATE_TEST_SUITE_P(Devices, RadiationDecision, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return device.param == Device::cuda ? "gpu" : "cpu"; });

/// The fit against the seconds in docs/truncation.md, within a factor of two.
void expect_about(double model, double measured) {
  EXPECT_LT(std::abs(std::log2(model / measured)), 1.0) << model << " for " << measured;
}

double ngim_evaluation(const RadiationCosts& costs, double n, double diameter) {
  return ngim_seconds(costs, spheres(n, diameter, 1, 1)) - ngim_seconds(costs, spheres(n, diameter, 1, 0));
}

TEST(RadiationCost, OfTheGpuIsWhatWasMeasured) {
  const RadiationCosts costs = radiation_costs(Device::cuda);

  expect_about(direct_seconds(costs, spheres(32768, 4, 1, 1)), 0.0110);
  expect_about(direct_seconds(costs, spheres(262144, 8, 1, 1)), 0.68);
  expect_about(direct_seconds(costs, {195456, 1800, 1, 1, 1}), 0.0040);
  expect_about(direct_seconds(costs, {195456, 1800, 1, 10, 1}), 0.0121);
  expect_about(ngim_evaluation(costs, 16384, 4), 0.0045);
  expect_about(ngim_evaluation(costs, 65536, 2), 0.0108);
  expect_about(ngim_evaluation(costs, 65536, 8), 0.025);
  expect_about(ngim_evaluation(costs, 262144, 8), 0.048);
  expect_about(ngim_evaluation(costs, 1048576, 2), 0.35);
  expect_about(ngim_evaluation(costs, 1048576, 8), 0.25);
  expect_about(ngim_evaluation(costs, 1048576, 16), 0.35);
  expect_about(ngim_evaluation(costs, 1048576, 32), 0.73);
}

TEST(RadiationCost, OfTheCpuIsWhatWasMeasured) {
  const RadiationCosts costs = radiation_costs(Device::cpu);

  expect_about(direct_seconds(costs, spheres(8192, 4, 1, 1)), 0.19);
  expect_about(direct_seconds(costs, spheres(65536, 8, 1, 1)), 13.9);
  expect_about(ngim_evaluation(costs, 8192, 4), 0.16);
  expect_about(ngim_evaluation(costs, 32768, 4), 0.37);
  expect_about(ngim_evaluation(costs, 65536, 8), 1.2);
}

}  // namespace
}  // namespace curlew::truncation
