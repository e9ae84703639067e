// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The best step within a box for a linear model.

#include <vector>

#include "optimize/limits.hpp"

namespace curlew::optimize {

/// Numbers at a point, and their derivatives there.
struct Response {
  std::vector<Complex> values;       ///< [num_values]
  std::vector<Complex> derivatives;  ///< [num_values, num_variables], row-major
  std::vector<bool> exact;           ///< [num_values] whether the derivatives came with the values
};

/// values + derivatives * step
std::vector<Complex> linear_values(const Response& response, const std::vector<double>& step);

/// The step with the least worst excess of the linear values, by sequential quadratic programming (D. Kraft,
/// DFVLR-FB 88-28, 1988, as NLopt has it): min t subject to excess_i(step) <= t and low <= step <= high. For
/// upper limits of magnitudes the problem is convex: the linear model is that of the complex number, not of
/// its decibels, and holds for larger steps.
/// @param low, high [num_variables] low <= 0 <= high
/// @return 0 where no step is better
std::vector<double> best_step(const Response& response, const std::vector<Limit>& limits,
                              const std::vector<double>& low, const std::vector<double>& high);

}  // namespace curlew::optimize
