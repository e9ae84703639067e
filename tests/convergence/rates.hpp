// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The slope of an error over mesh sizes.

#include <cmath>
#include <vector>

namespace curlew::test {

/// Least-squares slope of log(error) against log(1/n), n cells along an edge of the domain.
inline double convergence_slope(const std::vector<int>& n, const std::vector<double>& error) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const double x = -std::log(n[i]), y = std::log(error[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const auto count = double(n.size());
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

}  // namespace curlew::test
