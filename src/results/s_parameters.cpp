// SPDX-License-Identifier: BSD-3-Clause
#include "results/s_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/decibel.hpp"
namespace curlew::results {
namespace {

run::Value as_value(const SPoint& point) {
  run::Value row{{"frequency_hz", point.frequency}};
  const std::size_t n = point.input_impedance.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) row[fmt::format("s{}_{}", i + 1, j + 1)] = point.s[i * n + j];
    if (point.input_impedance[i])
      row[fmt::format("input_impedance_{}_ohm", i + 1)] = *point.input_impedance[i];
  }
  return row;
}

}  // namespace

double decibel(double magnitude) {
  return curlew::decibel(magnitude);
}

std::string s_name(std::size_t row, std::size_t column, std::size_t ports) {
  return fmt::format("S{}{}{}", row + 1, ports > 9 ? "," : "", column + 1);
}

void state_s_parameters(const std::vector<SPoint>& points, run::Run& run) {
  if (points.empty()) return;
  auto& results = run.results();
  for (const SPoint& point : points) results["s_parameters"].push_back(as_value(point));
  const std::size_t n = points.front().input_impedance.size();
  for (std::size_t i = 0; i < n; ++i) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const SPoint& point : points) {
      const double level = decibel(std::abs(point.s[i * n]));
      low = std::min(low, level), high = std::max(high, level);
    }
    const std::string name = fmt::format("s{}_1_db", i + 1);
    if (points.size() > 1) {
      results[name + "_min"] = low, results[name + "_max"] = high;
      continue;
    }
    results[name] = high;
    if (const auto& z = points.front().input_impedance[i])
      results[fmt::format("input_impedance_{}_ohm", i + 1)] = *z;
  }
}

void state_reference(const std::string& port, const std::string& reference, run::Run& run) {
  run.results()["s_references"].push_back({{"port", port}, {"reference", reference}});
}

}  // namespace curlew::results
