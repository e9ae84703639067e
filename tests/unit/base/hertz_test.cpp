// SPDX-License-Identifier: BSD-3-Clause
#include "base/hertz.hpp"

#include <gtest/gtest.h>

namespace curlew {
namespace {

TEST(Hertz, TakesTheUnitThatKeepsTheNumberShort) {
  EXPECT_EQ(hertz(0), "0 Hz");
  EXPECT_EQ(hertz(14), "14 Hz");
  EXPECT_EQ(hertz(1500), "1.5 kHz");
  EXPECT_EQ(hertz(71569177), "71.5692 MHz");
  EXPECT_EQ(hertz(1e9), "1 GHz");
  EXPECT_EQ(hertz(2.4567e9, 3), "2.46 GHz");
  EXPECT_EQ(hertz(3e14), "300 THz");
}

}  // namespace
}  // namespace curlew
