// SPDX-License-Identifier: BSD-3-Clause
// Half precision against its definition: sums of powers of two.

#include "linalg/vector/half.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace curlew::linalg {
namespace {

/// All of them that are not negative, in rising order, by exponent and mantissa.
std::vector<double> all_halves() {
  std::vector<double> all;
  for (int m = 0; m < 1024; ++m) all.push_back(std::ldexp(m, -24));
  for (int e = -14; e <= 15; ++e)
    for (int m = 0; m < 1024; ++m) all.push_back(std::ldexp(1024 + m, e - 10));
  return all;
}

TEST(Half, KeepsEveryNumberThatItHas) {
  for (const double value : all_halves()) {
    ASSERT_EQ(float(Half(value)), value);
    ASSERT_EQ(float(Half(-value)), -value);
  }
}

TEST(Half, RoundsToTheNearestOrToTheEvenOne) {
  const auto all = all_halves();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const double middle = (all[i] + all[i + 1]) / 2, width = all[i + 1] - all[i];
    ASSERT_EQ(float(Half(middle - width / 8)), all[i]);
    ASSERT_EQ(float(Half(middle + width / 8)), all[i + 1]);
    ASSERT_EQ(float(Half(middle)), all[i % 2 == 0 ? i : i + 1]) << middle;
  }
}

TEST(Half, EndsAtItsLargestNumberAndKnowsWhatIsNone) {
  for (const double large : {65505.0, 1e6, 1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(float(Half(large)), 65504);
    EXPECT_EQ(float(Half(-large)), -65504);
  }
  EXPECT_TRUE(std::isnan(float(Half(std::numeric_limits<double>::quiet_NaN()))));
}

}  // namespace
}  // namespace curlew::linalg
