// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Search in the ascending columns of compressed rows, on host and device.

#include "base/macros.hpp"
#include "base/types.hpp"

namespace curlew {

/// First index in [begin, end) with a column not below the given one, or end.
CURLEW_HD Offset first_not_below(const Index* columns, Offset begin, Offset end, Index wanted) {
  while (begin < end) {
    const Offset middle = (begin + end) / 2;
    if (columns[middle] < wanted)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

}  // namespace curlew
