// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chebyshev polynomials in registers, order by order.

namespace curlew::ngim::device {

/// T_m(2x), T_{m+1}(2x) and their slopes by x; starts at m = 0.
template <class T>
struct Recurrence {
  T a = 1, b = 0, da = 0, db = 2;
  Recurrence() = default;
  /// @param u 2x
  __device__ explicit Recurrence(T u) : b(u) {}
  template <bool slopes>
  __device__ __forceinline__ void advance(T u) {
    if constexpr (slopes) {
      const T slope = 2 * u * db - da + 4 * b;
      da = db, db = slope;
    }
    const T next = 2 * u * b - a;
    a = b, b = next;
  }
};

}  // namespace curlew::ngim::device
