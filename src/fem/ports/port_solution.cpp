// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/port_solution.hpp"

#include <cmath>

namespace curlew::fem {

bool carries_power(Complex value) {
  return value.real() > 0.5 * std::abs(value);
}

}  // namespace curlew::fem
