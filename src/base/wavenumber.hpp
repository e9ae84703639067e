// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/constants.hpp"

namespace curlew {

/// Of vacuum [1/m], at a frequency [Hz].
constexpr double wavenumber(double frequency) {
  return 2 * pi * frequency / speed_of_light;
}

}  // namespace curlew
