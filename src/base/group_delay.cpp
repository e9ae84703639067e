// SPDX-License-Identifier: BSD-3-Clause
#include "base/group_delay.hpp"

#include <cmath>

#include "base/constants.hpp"

namespace curlew {
namespace {

constexpr double greatest_turn = 0.75 * pi;  // from pi on the sign is ambiguous

/// Slope of the phase between two frequencies [s].
std::optional<double> slope(std::span<const double> frequencies, std::span<const Complex> s, std::size_t i) {
  if (s[i] == 0.0 || s[i + 1] == 0.0) return std::nullopt;
  const double turn = std::arg(s[i + 1] * std::conj(s[i]));
  if (std::abs(turn) > greatest_turn) return std::nullopt;
  return turn / (2 * pi * (frequencies[i + 1] - frequencies[i]));
}

}  // namespace

std::vector<std::optional<double>> group_delays(std::span<const double> frequencies,
                                                std::span<const Complex> s) {
  std::vector<std::optional<double>> delays(s.size());
  if (s.size() < 2) return delays;
  const std::size_t last = s.size() - 1;
  std::vector<std::optional<double>> slopes;
  for (std::size_t i = 0; i < last; ++i) slopes.push_back(slope(frequencies, s, i));
  const auto step = [&](std::size_t i) { return frequencies[i + 1] - frequencies[i]; };
  for (std::size_t i = 0; i <= last; ++i) {
    const std::size_t before = i == 0 ? 0 : (i == last && last > 1 ? last - 2 : i - 1);  // of two slopes
    const std::size_t after = last > 1 ? before + 1 : before;
    if (!slopes[before] || !slopes[after]) continue;
    if (before == after) {
      delays[i] = -*slopes[before];
      continue;
    }
    // Slopes belong to the middles of their steps; the derivative is linear through them.
    const double share =
        (i == 0 ? -step(before) : (i == last ? step(before) + 2 * step(after) : step(before))) /
        (step(before) + step(after));
    delays[i] = -(*slopes[before] + share * (*slopes[after] - *slopes[before]));
  }
  return delays;
}

}  // namespace curlew
