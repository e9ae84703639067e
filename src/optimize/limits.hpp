// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Upper and lower limits of numbers, and the amounts by which they are exceeded.

#include <cstddef>
#include <vector>

#include "base/types.hpp"

namespace curlew::optimize {

enum class Side { below, above };

/// One number against one bound.
struct Limit {
  std::size_t value = 0;  ///< which of the values
  Side side = Side::below;
  double bound = 0;
  double scale = 1;           ///< > 0: an excess of this size counts 1
  bool of_magnitude = false;  ///< of |value|; else of its real part
};

/// Amount by which a value exceeds the limit, divided by `scale`; negative if it meets the limit.
double excess(const Limit& limit, Complex value);
/// The derivative of `excess` along a change of the value; 0 at |value| = 0.
double excess_slope(const Limit& limit, Complex value, Complex change);
/// The greatest excess over all limits. @pre at least one limit
double worst_excess(const std::vector<Limit>& limits, const std::vector<Complex>& values);

}  // namespace curlew::optimize
