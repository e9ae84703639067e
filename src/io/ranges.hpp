// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lists of angles in configs.

#include <string_view>
#include <vector>

#include "io/config.hpp"

namespace curlew::io {

/// Refuses angles beyond 360 degrees, which are mistakes or inaccurate.
void require_angle(const Config& config, std::string_view key, double degrees);

/// `key = [start, stop, points]` of angles [deg], evenly spaced with both ends; points = 1 gives start.
/// @throws InputError if the key is missing or not two such angles with whole points >= 1
std::vector<double> linear_range(const Config& config, std::string_view key);

/// Possible meaning of a list of three angles [deg]; other lists are angles.
enum class ThreeAngles { list, range, either };
/// [start, stop, points] of linear_range if the third is a whole number >= 2 that gives steps of a multiple
/// of 0.05 degrees, and as angles they would not be monotonic: [0, 180, 91]. Monotonic angles are a list; if
/// they could also be a range, such as [0, 30, 31], either. Evenly spaced ones are always a list.
ThreeAngles meaning_of(const std::vector<double>& angles);

/// A value, a list, or a range by meaning_of (either: the list). @throws InputError for no angle or one
/// beyond a turn
std::vector<double> angle_list(const Config& config, std::string_view key);

/// Checks the angles of a far field, which is computed for every pair of them.
/// @throws InputError if the pairs are more than ten million
void require_directions(const Config& far_field, std::size_t num_theta, std::size_t num_phi);

/// `points` values from start to stop, both included; the last one is exactly stop.
std::vector<double> linspace(double start, double stop, int points);

}  // namespace curlew::io
