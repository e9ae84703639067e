// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a benchmark prints: tables of ratios, and the same as JSON.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace curlew::bench {

/// Tables on stdout as they grow; everything again as JSON at the end.
class Report {
 public:
  /// Starts a table; columns name quantity and unit, the first one is the row's label.
  void table(const std::string& title, const std::vector<std::string>& columns);
  /// One row of the current table; a cell is a string or a number (printed with 4 digits).
  void row(const std::vector<nlohmann::json>& cells);
  /// A remark under the current table.
  void note(const std::string& text);
  const nlohmann::json& json() const { return json_; }
  /// The title of a table without rows, "no table" if there is none, "" if all have rows.
  std::string empty_table() const;

 private:
  nlohmann::json json_ = nlohmann::json::array();
};

/// Median and spread of the seconds of `repeat` calls after one warm-up.
struct Timing {
  double median, min, max;
};
template <class F>
Timing time_calls(int repeat, F&& call);

}  // namespace curlew::bench

#include "bench/timing.hpp"
