// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Decibels, the same in all programs.

#include <algorithm>
#include <cmath>

namespace curlew {

/// -300 dB: smaller values are rounding errors, and zero needs a finite number in tables.
inline constexpr double least_power = 1e-30, least_magnitude = 1e-15;

/// 10 log10 of a ratio of powers, of a gain, of a cross-section [m^2] or echo width [m].
inline double power_decibel(double ratio) {
  return 10 * std::log10(std::max(ratio, least_power));
}

/// 20 log10 of a magnitude, with the same least value.
inline double decibel(double magnitude) {
  return 20 * std::log10(std::max(magnitude, least_magnitude));
}

}  // namespace curlew
