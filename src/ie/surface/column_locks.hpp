// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>

#include "base/types.hpp"

namespace curlew::ie {

/// Locks for groups of columns of a dense matrix: a column belongs to two source triangles.
class ColumnLocks {
 public:
  std::mutex& of(Index column) { return locks_[column % 256]; }

 private:
  std::mutex locks_[256];
};

}  // namespace curlew::ie
