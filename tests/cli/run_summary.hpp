// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Programs run as a user would, and their summary.json.

#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace curlew::test {

class SummaryTest : public ProgramTest {
 protected:
  nlohmann::json summary(const std::string& folder = "out") const;
  nlohmann::json results(const std::string& folder = "out") const { return summary(folder).at("results"); }
  /// Expects the times of fields and files in the summary.
  void expect_results_stage(const std::string& folder = "out") const;
};

}  // namespace curlew::test
