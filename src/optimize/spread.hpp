// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Random points within production tolerances, and statistics of numbers at them.

#include <cstdint>
#include <vector>

namespace curlew::optimize {

enum class Distribution { normal, uniform };

/// Independent random steps. @param spread [num_variables] standard deviation, or half-width if uniform
/// @return [count][num_variables]; the first ones do not depend on count
std::vector<std::vector<double>> random_steps(const std::vector<double>& spread, Distribution distribution,
                                              std::uint64_t seed, std::size_t count);

struct Statistics {
  double mean = 0, deviation = 0;  ///< standard deviation of the sample, with count - 1
  double low = 0, high = 0;        ///< quantiles of 5 % and 95 %
};
/// @pre at least two numbers
Statistics statistics(std::vector<double> numbers);

}  // namespace curlew::optimize
