// SPDX-License-Identifier: BSD-3-Clause
#include "results/s_parameters.hpp"

#include <gtest/gtest.h>

namespace curlew::results {
namespace {

TEST(Names, OfManyPortsHaveAComma) {
  EXPECT_EQ(s_name(1, 0, 2), "S21");
  EXPECT_EQ(s_name(1, 0, 10), "S2,1");  // S21 is row 2 and column 1 of up to nine ports only
}

}  // namespace
}  // namespace curlew::results
