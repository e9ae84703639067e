// SPDX-License-Identifier: BSD-3-Clause
#include "io/ranges.hpp"

#include <fmt/format.h>

#include <cmath>

namespace curlew::io {

std::vector<double> linspace(double start, double stop, int points) {
  std::vector<double> values(std::size_t(points), start);
  for (int i = 1; i < points; ++i)
    values[std::size_t(i)] = start + (stop - start) * (double(i) / (points - 1));
  if (points > 1) values.back() = stop;
  return values;
}

std::vector<double> frequency_list(const Config& frequency) {
  constexpr int most_points = 10'000'000;
  const bool is_range = frequency.has("start") || frequency.has("stop") || frequency.has("points");
  if (frequency.has("values")) {
    frequency.require(!is_range, "values", "give either values or start, stop and points, not both");
    const auto values = frequency.get<std::vector<double>>("values");
    frequency.require(!values.empty(), "values", "values must hold at least one frequency in Hz");
    for (const double f : values) {
      frequency.require(f > 0, "values",
                        fmt::format("values: a frequency of {} Hz must be greater than 0", f));
    }
    return values;
  }
  frequency.require(is_range, "", "no frequency: give values = [..] in Hz, or start, stop and points");
  const double start = frequency.positive("start"), stop = frequency.positive("stop");
  return linspace(start, stop, frequency.integer_in("points", 1, most_points));
}

std::vector<double> linear_range(const Config& config, std::string_view key) {
  constexpr double most_points = 1e7;
  const auto range = config.get<std::vector<double>>(key);
  const bool fits =
      range.size() == 3 && range[2] >= 1 && range[2] <= most_points && range[2] == std::floor(range[2]);
  config.require(fits, key,
                 fmt::format("{} must be [start, stop, points] with a whole number of points >= 1", key));
  return linspace(range[0], range[1], int(range[2]));
}

}  // namespace curlew::io
