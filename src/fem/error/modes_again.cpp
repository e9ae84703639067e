// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/modes_again.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace curlew::fem {
namespace {

/// Of the run's frequencies; modes move less between two orders on a mesh that resolves them.
constexpr double looked_below = 0.05;
/// As in fields::pattern_error: this part of what the others say counts at least.
constexpr double least_share_of_median = 0.3;
/// Ratios |d_3| / |d_2| that are believed, as fields::order_error does; of fewer modes a median says nothing.
constexpr double least_ratio_of_few = 0.05, most_ratio_of_modes = 0.7;
constexpr std::size_t few_modes = 3;

/// The upper one of an even number.
double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// In order, with the least sum of differences.
fields::Quantities pairs_of(const fields::Quantities& found, const fields::Quantities& reported) {
  const std::size_t n = reported.size(), m = found.size();
  if (m < n)
    throw NumericalError(fmt::format("no error estimate: {} of {} modes were found at another order", m, n));
  // least[i * (m + 1) + j]: of the first i reported and the first j found
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

/// None below a share of the median over f^(2p+1), p the lower of the two orders.
void raise_to_median(int p, const std::vector<double>& frequencies, std::vector<double>& changes) {
  const double middle = median(frequencies);
  const auto growth = [&](std::size_t i) { return std::pow(frequencies[i] / middle, 2 * p + 1); };
  std::vector<double> sizes(changes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = changes[i] / growth(i);
  const double least = least_share_of_median * median(sizes);
  for (std::size_t i = 0; i < sizes.size(); ++i) changes[i] = std::max(changes[i], least * growth(i));
}

/// |d_3| / |d_2|.
double common_ratio(const std::vector<double>& changes, const std::vector<double>& before) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (before[i] > 0) ratios.push_back(changes[i] / before[i]);
  return ratios.size() < few_modes ? least_ratio_of_few : std::min(median(ratios), most_ratio_of_modes);
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
  const double ratio = before.empty() ? 0 : common_ratio(changes, before);
  raise_to_median(std::min(order, 2), frequencies, changes);
  for (std::size_t i = 0; i < before.size(); ++i) changes[i] = std::max(changes[i], ratio * before[i]);
  return changes;
}

}  // namespace curlew::fem
