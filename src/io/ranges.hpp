// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lists of angles as configs state them.

#include <string_view>
#include <vector>

#include "io/config.hpp"

namespace curlew::io {

/// Beyond a turn an angle is a mistake, or has no digits left that matter.
void require_angle(const Config& config, std::string_view key, double degrees);

/// `key = [start, stop, points]` of angles [deg], evenly spaced with both ends; points = 1 gives start.
/// @throws InputError if the key is missing or not two such angles with whole points >= 1
std::vector<double> linear_range(const Config& config, std::string_view key);

/// What three angles of a list [deg] can mean; other lists are angles.
enum class ThreeAngles { list, range, either };
/// [start, stop, points] of linear_range where the third is a whole number >= 2 that makes steps of a
/// multiple of 0.05 degrees, and where as angles they would turn back: [0, 180, 91]. Angles that continue in
/// one direction are a list; if they could be a range too, such as [0, 30, 31], either. Evenly spaced ones
/// are always a list.
ThreeAngles meaning_of(const std::vector<double>& angles);

/// A value, a list, or a range by meaning_of (either: the list). @throws InputError for no angle or one
/// beyond a turn
std::vector<double> angle_list(const Config& config, std::string_view key);

/// Angles of a far field, which is asked for in every pair of them.
/// @throws InputError if the pairs are more than ten million
void require_directions(const Config& far_field, std::size_t num_theta, std::size_t num_phi);

/// `points` values from start to stop, both included; the last one is exactly stop.
std::vector<double> linspace(double start, double stop, int points);

}  // namespace curlew::io
