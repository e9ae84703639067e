// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A complex number in the arithmetic of an algorithm for both, double and Complex.

#include <type_traits>

#include "base/types.hpp"

namespace curlew {

/// Of double the real part: the caller knows that there is no other.
template <class T>
T narrow(Complex z) {
  if constexpr (std::is_same_v<T, double>)
    return z.real();
  else
    return z;
}

}  // namespace curlew
