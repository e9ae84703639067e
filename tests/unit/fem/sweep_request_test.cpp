// SPDX-License-Identifier: BSD-3-Clause
#include "fem/setup/sweep_request.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace curlew::fem {
namespace {

SweepRequest request_of(std::size_t points, bool is_adaptive, std::vector<double> written) {
  SweepRequest request;
  request.frequencies.resize(points);
  std::iota(request.frequencies.begin(), request.frequencies.end(), 1e9);
  if (is_adaptive) request.fast.emplace();
  request.written = std::move(written);
  return request;
}

// Predicted times, the choice of the solver and of its ordering follow the solutions, not the points of S.
TEST(SweepRequest, AnAdaptiveSweepExpectsFewSolutions) {
  EXPECT_EQ(request_of(1001, false, {1e9}).expected_solutions(), 1001);
  EXPECT_EQ(request_of(1001, false, {1e9, 2e9}).expected_solutions(), 1002);  // 2e9 is not a point
  const int few = request_of(1001, true, {}).expected_solutions();
  EXPECT_GE(few, 3);
  EXPECT_LE(few, 20);
  EXPECT_EQ(request_of(100001, true, {1e9, 2e9}).expected_solutions(), few + 2);
  EXPECT_EQ(request_of(4, true, {1e9}).expected_solutions(), 4);
}

}  // namespace
}  // namespace curlew::fem
