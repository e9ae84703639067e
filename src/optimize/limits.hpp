// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Limits of numbers, and by how much they are exceeded.

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
  double scale = 1;           ///< > 0: a miss by this much counts 1
  bool of_magnitude = false;  ///< of |value|; else of its real part
};

/// By how much a value misses the limit, in scales; negative where it keeps it.
double excess(const Limit& limit, Complex value);
/// The derivative of `excess` along a change of the value; 0 at |value| = 0.
double excess_slope(const Limit& limit, Complex value, Complex change);
/// The greatest of all limits. @pre at least one limit
double worst_excess(const std::vector<Limit>& limits, const std::vector<Complex>& values);

}  // namespace curlew::optimize
