// SPDX-License-Identifier: BSD-3-Clause
#include "results/error_report.hpp"

#include <limits>

#include "io/csv.hpp"
#include "toy_program.hpp"

namespace curlew::results {
namespace {

ErrorBar bar(const std::string& quantity, double value, double error) {
  return {1e3, quantity, "1", value, error, error, error, "", "", {}};
}

/// The impedance of a port is infinite for S = 1 and 0 for S = -1, without bars: the bar of S stays.
TEST(ErrorReport, WhatHasNoFiniteBarDoesNotLoseTheOthers) {
  const test::Workplace place("title = \"t\"\n");
  const double infinite = std::numeric_limits<double>::infinity(), none = std::nan("");
  const auto body = [&](const io::Config&, run::Run& run) {
    ErrorReport report({}, run);
    report.add(bar("S1,1", 1, 1e-3));
    report.add(bar("Z1", infinite, none));
    report.add(bar("Z2", 0, none));
    report.close("");
  };
  const auto ended = test::run_toy({place.config, "-o", place.out}, body);
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto table = io::read_csv(place.out + "/errors.csv");
  EXPECT_EQ(table.numbers("error"), std::vector{1e-3});
  EXPECT_NE(ended.err.find("Z1 has no error bar"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace curlew::results
