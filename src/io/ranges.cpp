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
