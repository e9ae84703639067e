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

/// Angles of a far field, which is asked for in every pair of them.
/// @throws InputError if the pairs are more than ten million
void require_directions(const Config& far_field, std::size_t num_theta, std::size_t num_phi);

/// `points` values from start to stop, both included; the last one is exactly stop.
std::vector<double> linspace(double start, double stop, int points);

}  // namespace curlew::io
