// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The values of a sweep, and the table over its points.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace curlew::run {

struct SweepAxis {
  std::string key;
  std::vector<std::string> values;  ///< in the form of --set
};

/// `key=a:b:n` (n values from a to b, both included; with a unit as in `1:2 mm:5`) or `key=v1,v2,...`; commas
/// inside brackets, parentheses or quotes belong to a value. @throws InputError for another form
SweepAxis parse_sweep(const std::string& text);

/// One value of every axis per point; the last axis varies fastest.
std::vector<std::vector<std::string>> sweep_points(const std::vector<SweepAxis>& axes);

/// The finite numbers in an object, nested ones by dotted names; lists of up to 64 entries by index.
std::vector<std::pair<std::string, double>> flatten_numbers(const nlohmann::json& object);

}  // namespace curlew::run
