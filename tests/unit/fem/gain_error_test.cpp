// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/gain_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"

namespace curlew::fem {
namespace {

/// |F|² / (1 - |S11|² - |S21|²), both modes of one port, before and after small changes of the forms: those
/// of S divided by a number, that of the amplitude F in its own polarisation by 4 pi.
TEST(GainError, TheChangeOfAGainIsItsDerivative) {
  const Complex form(0.3, 2), field(2, -1);
  Eigen::MatrixXcd s = Eigen::MatrixXcd::Zero(3, 3), changes = Eigen::MatrixXcd::Zero(4, 4);
  s(0, 0) = {0.4, 0.3}, s(1, 0) = {-0.2, 0.1}, s(2, 0) = {0.5, 0};  // the third mode is of another port
  changes(0, 0) = {1e-6, 2e-6}, changes(1, 0) = {-3e-6, 1e-6}, changes(2, 0) = 5e-6,
             changes(3, 0) = {4e-6, 7e-6};
  const PortPeak peak{0, 3, 2 / (4 * pi * std::abs(field)), {0, 1}};

  const auto gain = [&](double share) {
    const Complex amplitude = std::abs(field) + share * changes(3, 0) / (4 * pi);
    double accepted = 1;
    for (const int m : {0, 1}) accepted -= std::norm(s(m, 0) + share * changes(m, 0) / form);
    return std::norm(amplitude) / accepted;
  };
  const double expected = (gain(1) - gain(-1)) / (2 * gain(0));
  EXPECT_NEAR(change_of_gain(peak, s, form, changes), expected, 1e-4 * std::abs(expected));
}

}  // namespace
}  // namespace curlew::fem
