// SPDX-License-Identifier: BSD-3-Clause
// Statistics of random points against those of their distributions.
#include "optimize/spread.hpp"

#include <gtest/gtest.h>

namespace curlew::optimize {
namespace {

/// A quantile of 5 % in 20,000 points is off by 0.015 standard deviations, times 4.
TEST(Spread, NormalPointsHaveTheirDeviation) {
  std::vector<double> numbers;
  for (const auto& step : random_steps({2, 0.5}, 7, 20000)) numbers.push_back(step[0]);
  const auto found = statistics(std::move(numbers));
  EXPECT_NEAR(found.mean, 0, 2 * 0.03);
  EXPECT_NEAR(found.deviation, 2, 2 * 0.02);
  EXPECT_NEAR(found.low, -2 * 1.6449, 2 * 0.06);
  EXPECT_NEAR(found.high, 2 * 1.6449, 2 * 0.06);
}

TEST(Spread, OfAFewNumbersByHand) {
  const auto found = statistics({5, 1, 3});
  EXPECT_DOUBLE_EQ(found.mean, 3);
  EXPECT_DOUBLE_EQ(found.deviation, 2);
  EXPECT_DOUBLE_EQ(found.low, 1.2);
  EXPECT_DOUBLE_EQ(found.high, 4.8);
}

TEST(Spread, MorePointsBeginWithTheSameOnes) {
  const auto few = random_steps({1, 1}, 3, 5), many = random_steps({1, 1}, 3, 50);
  EXPECT_EQ(few, std::vector(many.begin(), many.begin() + 5));
}

}  // namespace
}  // namespace curlew::optimize
