// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sums over the lanes of a warp. Device code only.

#include "base/complex.hpp"

namespace curlew {

/// Sum over `width` neighbouring lanes, a power of two, in the lowest of them. All lanes of the warp take
/// part.
template <class R>
__device__ inline R lane_sum(R v, int width = 32) {
  for (int d = width / 2; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d, width);
  return v;
}
template <class R>
__device__ inline complex<R> lane_sum(complex<R> z, int width = 32) {
  return {lane_sum(z.re, width), lane_sum(z.im, width)};
}

}  // namespace curlew
