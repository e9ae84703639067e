// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/modes_again.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace curlew::fem {
namespace {

/// Search range below the run's frequencies; changes between two orders are smaller on a mesh that resolves
/// the modes.
constexpr double looked_below = 0.05;
/// As in fields::pattern_error: at least this fraction of the median is used.
constexpr double least_share_of_median = 0.3;
/// Least accepted ratios |d_3| / |d_2|, as in fields::order_error; the median of few modes is not
/// significant.
constexpr double least_ratio_of_few = 0.05, most_ratio_of_modes = 0.7;
constexpr std::size_t few_modes = 3;

/// Median; for an even number the upper middle value.
double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Pairs in order, with the least sum of differences.
fields::Quantities pairs_of(const fields::Quantities& found, const fields::Quantities& reported) {
  const std::size_t n = reported.size(), m = found.size();
  if (m < n)
    throw NumericalError(fmt::format("no error estimate: {} of {} modes were found at another order", m, n));
  // least[i * (m + 1) + j]: least sum for the first i reported and the first j found
  std::vector<double> least((n + 1) * (m + 1), 0.0);
  const auto sum = [&](std::size_t i, std::size_t j) -> double& { return least[i * (m + 1) + j]; };
  const auto pair = [&](std::size_t i, std::size_t j) {
    return sum(i - 1, j - 1) + std::abs(found[j - 1] - reported[i - 1]);
  };
  for (std::size_t i = 1; i <= n; ++i) {
    sum(i, i - 1) = std::numeric_limits<double>::infinity();
    for (std::size_t j = i; j <= m; ++j) sum(i, j) = std::min(sum(i, j - 1), pair(i, j));
  }
  fields::Quantities chosen(n);
  for (std::size_t i = n, j = m; i > 0; --j)
    if (sum(i, j) != sum(i, j - 1)) chosen[--i] = found[j - 1];
  return chosen;
}

/// A fraction of the median of values divided by f^power, at each frequency.
std::vector<double> share_of_median(const std::vector<double>& values, const std::vector<double>& frequencies,
                                    int power) {
  const double middle = median(frequencies);
  std::vector<double> growth(values.size()), scaled(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    growth[i] = std::pow(frequencies[i] / middle, power);
    scaled[i] = values[i] / growth[i];
  }
  const double least = least_share_of_median * median(scaled);
  for (double& g : growth) g *= least;
  return growth;
}

/// Expected |d_3| / |d_2|, which grows as f^2.
std::vector<double> expected_ratios(const std::vector<double>& changes, const std::vector<double>& before,
                                    const std::vector<double>& frequencies) {
  if (changes.size() < few_modes) return std::vector<double>(changes.size(), least_ratio_of_few);
  std::vector<double> ratios(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) ratios[i] = changes[i] / std::max(before[i], 1e-300);
  return share_of_median(ratios, frequencies, 2);
}

}  // namespace

fields::Quantities modes_again(const fields::Quantities& reported, double target, const FindModes& find) {
  const int n = int(reported.size());
  if (!(target > 0)) return pairs_of(find(0, n), reported);
  const double from = std::min(target, (1 - looked_below) * reported.front().real());
  for (int count = n + 2;; count *= 2) {
    const fields::Quantities found = find(from, count);
    const bool is_enough = int(found.size()) < count || found.back().real() > reported.back().real();
    if (is_enough || count > 4 * n + 8) return pairs_of(found, reported);
  }
}

std::vector<double> believed_changes(std::vector<double> changes, const std::vector<double>& before,
                                     const std::vector<double>& frequencies, int order) {
  auto least = share_of_median(changes, frequencies, 2 * std::min(order, 2) + 1);
  if (!before.empty()) {
    const auto ratios = expected_ratios(changes, before, frequencies);
    for (std::size_t i = 0; i < least.size(); ++i)
      least[i] = std::max(least[i], std::min(ratios[i], most_ratio_of_modes) * before[i]);
  }
  for (std::size_t i = 0; i < changes.size(); ++i) changes[i] = std::max(changes[i], least[i]);
  return changes;
}

}  // namespace curlew::fem
