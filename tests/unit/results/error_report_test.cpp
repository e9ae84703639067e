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

/// Beside bars from residuals second solutions at all frequencies may cost a second, or each half a solution
/// of the run; without them as much as the run.
TEST(ErrorReport, ASecondSolutionOfAHigherOrderIsNotMadeBesideResiduals) {
  struct Trial {
    long unknowns;
    double price;
    bool has_cheaper, wanted;
  };
  const test::Workplace place("title = \"t\"\n");
  const auto body = [&](const io::Config&, run::Run& run) {
    ErrorReport report({}, run);
    for (const Trial& t :
         {Trial{330000, 4.3, true, false}, Trial{330000, 4.3, false, true}, Trial{330000, 0.4, true, true},
          Trial{20000, 4.3, true, false}, Trial{3000, 4.3, true, true}})
      EXPECT_EQ(report.is_wanted({.unknowns = t.unknowns,
                                  .price = t.price,
                                  .solutions = 9,
                                  .memory =
                                      [] {
                                        return run::OptionalPart{"error estimate", 1, 0, false};
                                      },
                                  .has_cheaper = t.has_cheaper}),
                t.wanted)
          << t.unknowns << " " << t.price << " " << t.has_cheaper;
  };
  const auto ended = test::run_toy({place.config, "-o", place.out}, body);
  ASSERT_EQ(ended.status, 0) << ended.err;
}

}  // namespace
}  // namespace curlew::results
