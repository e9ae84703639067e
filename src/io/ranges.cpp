// SPDX-License-Identifier: BSD-3-Clause
#include "io/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace curlew::io {

std::vector<double> linspace(double start, double stop, int points) {
  std::vector<double> values(std::size_t(points), start);
  for (int i = 1; i < points; ++i)
    values[std::size_t(i)] = start + (stop - start) * (double(i) / (points - 1));
  if (points > 1) values.back() = stop;
  return values;
}

namespace {
/// True if the key was given as an option, which wins over the file.
bool by_option(const Config& table, std::string_view key) {
  return table.has(key) && table.where(key).rfind("--", 0) == 0;
}

/// Ascending, as Touchstone and the steps of VTKHDF must be. Files and tables know a solution by its
/// frequency; Touchstone has no place for a second one.
std::vector<double> ascending(const Config& frequency, const char* key, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end()) frequency.error(key, fmt::format("{}: {} Hz is given twice", key, *twice));
  return values;
}

/// Reads a key that holds a list.
std::vector<double> listed(const Config& config, const char* key, Lowest lowest = Lowest::above_zero) {
  const auto values = config.get<std::vector<double>>(key);
  config.require(!values.empty(), key, fmt::format("{} must hold at least one frequency in Hz", key));
  for (const double f : values)
    config.require(f > 0 || (f == 0 && lowest == Lowest::zero), key,
                   fmt::format("{}: a frequency of {} Hz must be {} 0", key, f,
                               lowest == Lowest::zero ? "at least" : "greater than"));
  return ascending(config, key, values);
}

}  // namespace

std::vector<double> frequency_list(const Config& frequency, Lowest lowest) {
  constexpr int most_points = 10'000'000;
  const auto any = [&](auto&& test) { return test("start") || test("stop") || test("points"); };
  bool is_range = any([&](const char* key) { return frequency.has(key); });
  const bool range_by_option = any([&](const char* key) { return by_option(frequency, key); });
  const bool values_by_option = by_option(frequency, "values");
  if (values_by_option && !range_by_option) {
    frequency.allow({"start", "stop", "points"});
    is_range = false;
  }
  if (range_by_option && !values_by_option) frequency.allow({"values"});
  if (frequency.has("values") && !(range_by_option && !values_by_option)) {
    frequency.require(!is_range, "values", "give either values or start, stop and points, not both");
    return listed(frequency, "values", lowest);
  }
  frequency.require(is_range, "", "no frequency: give values = [..] in Hz, or start, stop and points");
  const double start = lowest == Lowest::zero ? frequency.get<double>("start") : frequency.positive("start");
  frequency.require(start >= 0, "start", fmt::format("start = {} must be at least 0", start));
  const double stop = frequency.positive("stop");
  return ascending(frequency, "points",
                   linspace(start, stop, frequency.integer_in("points", 1, most_points)));
}

std::vector<double> frequency_list(const Config& config, std::string_view key) {
  if (config.kind(key) == Config::Kind::table) return frequency_list(config.table(key));
  return listed(config, std::string(key).c_str());
}

std::vector<double> linear_range(const Config& config, std::string_view key) {
  constexpr double most_points = 1e7;
  const auto range = config.get<std::vector<double>>(key);
  const bool fits =
      range.size() == 3 && range[2] >= 1 && range[2] <= most_points && range[2] == std::floor(range[2]);
  config.require(fits, key,
                 fmt::format("{} must be [start, stop, points] with a whole number of points >= 1", key));
  require_angle(config, key, range[0]), require_angle(config, key, range[1]);
  return linspace(range[0], range[1], int(range[2]));
}

ThreeAngles meaning_of(const std::vector<double>& angles) {
  if (angles.size() != 3) return ThreeAngles::list;
  const double start = angles[0], stop = angles[1], points = angles[2];
  if (points < 2 || points != std::floor(points) || start == stop || stop - start == points - stop)
    return ThreeAngles::list;
  const double steps = std::abs(stop - start) / (points - 1) / 0.05;
  if (steps < 0.5 || std::abs(steps - std::round(steps)) > 1e-9 * steps) return ThreeAngles::list;
  const bool goes_on = (points - stop) * (stop - start) > 0 && points <= 360;
  return goes_on ? ThreeAngles::either : ThreeAngles::range;
}

std::vector<double> angle_list(const Config& config, std::string_view key) {
  const auto angles = config.get<std::vector<double>>(key);
  config.require(!angles.empty(), key, "needs at least one angle in degrees");
  if (meaning_of(angles) == ThreeAngles::range) return linear_range(config, key);
  for (const double angle : angles) require_angle(config, key, angle);
  return angles;
}

void require_angle(const Config& config, std::string_view key, double degrees) {
  config.require(std::abs(degrees) <= 360, key,
                 fmt::format("{} = {:g} must be an angle from -360 to 360 degrees", key, degrees));
}

void require_directions(const Config& far_field, std::size_t num_theta, std::size_t num_phi) {
  constexpr std::size_t most = 10'000'000;
  far_field.require(
      num_theta * num_phi <= most, "theta",
      fmt::format("theta and phi give {} directions: at most {} are allowed", num_theta * num_phi, most));
}

}  // namespace curlew::io
