// SPDX-License-Identifier: BSD-3-Clause
#include "optimize/limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace curlew::optimize {
namespace {

double sign(const Limit& limit) {
  return limit.side == Side::below ? 1 : -1;
}

}  // namespace

double excess(const Limit& limit, Complex value) {
  const double number = limit.of_magnitude ? std::abs(value) : value.real();
  return sign(limit) * (number - limit.bound) / limit.scale;
}

double excess_slope(const Limit& limit, Complex value, Complex change) {
  if (!limit.of_magnitude) return sign(limit) * change.real() / limit.scale;
  const double size = std::abs(value);
  return size > 0 ? sign(limit) * (std::conj(value) * change).real() / (size * limit.scale) : 0;
}

double worst_excess(const std::vector<Limit>& limits, const std::vector<Complex>& values) {
  double worst = -std::numeric_limits<double>::infinity();
  for (const Limit& limit : limits) worst = std::max(worst, excess(limit, values[limit.value]));
  return worst;
}

}  // namespace curlew::optimize
