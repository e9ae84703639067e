// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sizes of grids. For builds with CUDA.

#include "base/types.hpp"

namespace curlew::cuda {

/// Blocks of so many threads for n items, one a thread.
inline unsigned blocks_for(Offset n, int threads) {
  return unsigned((n + threads - 1) / threads);
}

}  // namespace curlew::cuda
