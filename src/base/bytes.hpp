// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sizes of memory for messages.

#include <cstddef>

namespace curlew {

inline double gib(std::size_t bytes) {
  return double(bytes) / (1 << 30);
}

}  // namespace curlew
