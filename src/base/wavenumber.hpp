// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/constants.hpp"

namespace curlew {

/// Wavenumber of vacuum [1/m] at a frequency [Hz], real or complex.
template <class T>
constexpr T wavenumber(T frequency) {
  return 2 * pi * frequency / speed_of_light;
}

/// Frequency [Hz] at which vacuum has this wavenumber [1/m], real or complex.
template <class T>
constexpr T frequency_of(T wavenumber) {
  return wavenumber * speed_of_light / (2 * pi);
}

}  // namespace curlew
