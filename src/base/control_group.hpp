// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Control groups of Linux, by which containers, schedulers and systemd limit processes.

#include <cstddef>
#include <filesystem>
#include <limits>

namespace curlew {

/// Limits of this process: the least over its control group and the groups above it.
struct GroupLimits {
  double cores = std::numeric_limits<double>::infinity();        ///< processor time over wall time
  std::size_t memory = std::numeric_limits<std::size_t>::max();  ///< bytes until the limit is reached
};
/// Limits of control groups of version 2, and of version 1 where its controllers are mounted.
/// @param root of the file system; another one in tests
GroupLimits group_limits(const std::filesystem::path& root = "/");

}  // namespace curlew
