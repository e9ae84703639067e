// SPDX-License-Identifier: BSD-3-Clause
#include "optimize/spread.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace curlew::optimize {
namespace {

/// Linear between the order statistics. @param sorted ascending
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * double(sorted.size() - 1);
  const auto below = std::size_t(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::vector<std::vector<double>> random_steps(const std::vector<double>& spread, Distribution distribution,
                                              std::uint64_t seed, std::size_t count) {
  std::mt19937_64 source(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<std::vector<double>> steps(count, spread);
  for (auto& step : steps)
    for (double& s : step) s *= distribution == Distribution::normal ? normal(source) : uniform(source);
  return steps;
}

Statistics statistics(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  Statistics result{0, 0, quantile(numbers, 0.05), quantile(numbers, 0.95)};
  const double count = double(numbers.size());
  for (const double x : numbers) result.mean += x / count;
  for (const double x : numbers) result.deviation += (x - result.mean) * (x - result.mean) / (count - 1);
  result.deviation = std::sqrt(result.deviation);
  return result;
}

}  // namespace curlew::optimize
