// SPDX-License-Identifier: BSD-3-Clause
// Statistics of random points against those of their distributions.
#include "optimize/spread.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace curlew::optimize {
namespace {

Statistics of(Distribution distribution, std::size_t variable) {
  std::vector<double> numbers;
  for (const auto& step : random_steps({2, 0.5}, distribution, 7, 20000)) numbers.push_back(step[variable]);
  return statistics(std::move(numbers));
}

/// A quantile of 5 % in 20,000 points is off by 0.015 standard deviations, times 4.
TEST(Spread, NormalPointsHaveTheirDeviation) {
  const auto found = of(Distribution::normal, 0);
  EXPECT_NEAR(found.mean, 0, 2 * 0.03);
  EXPECT_NEAR(found.deviation, 2, 2 * 0.02);
  EXPECT_NEAR(found.low, -2 * 1.6449, 2 * 0.06);
  EXPECT_NEAR(found.high, 2 * 1.6449, 2 * 0.06);
}

TEST(Spread, UniformPointsHaveTheirHalfWidth) {
  const auto found = of(Distribution::uniform, 1);
  EXPECT_NEAR(found.deviation, 0.5 / std::sqrt(3), 0.5 * 0.01);
  EXPECT_NEAR(found.low, -0.45, 0.01);
  EXPECT_NEAR(found.high, 0.45, 0.01);
}

TEST(Spread, OfAFewNumbersByHand) {
  const auto found = statistics({5, 1, 3});
  EXPECT_DOUBLE_EQ(found.mean, 3);
  EXPECT_DOUBLE_EQ(found.deviation, 2);
  EXPECT_DOUBLE_EQ(found.low, 1.2);
  EXPECT_DOUBLE_EQ(found.high, 4.8);
}

TEST(Spread, MorePointsBeginWithTheSameOnes) {
  const auto few = random_steps({1, 1}, Distribution::normal, 3, 5),
             many = random_steps({1, 1}, Distribution::normal, 3, 50);
  EXPECT_EQ(few, std::vector(many.begin(), many.begin() + 5));
}

}  // namespace
}  // namespace curlew::optimize
