// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sizes of grids. For builds with CUDA.

#include "base/types.hpp"

namespace curlew::cuda {

/// Number of blocks with `threads` threads for n items, one per thread.
inline unsigned blocks_for(Offset n, int threads) {
  return unsigned((n + threads - 1) / threads);
}

}  // namespace curlew::cuda
