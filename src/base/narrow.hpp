// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Converts a complex number to the type of an algorithm for double and Complex.

#include <type_traits>

#include "base/types.hpp"

namespace curlew {

/// For double the real part: the imaginary part must be zero.
template <class T>
T narrow(Complex z) {
  if constexpr (std::is_same_v<T, double>)
    return z.real();
  else
    return z;
}

}  // namespace curlew
