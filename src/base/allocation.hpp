// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Checks of memory for libraries that end the process if an allocation fails.

#include <cstddef>
#include <string>

namespace curlew {

/// Allocates these bytes and frees them. Fails only with a limit (ulimit); otherwise the system overcommits,
/// and require_memory is the better check.
/// @throws ResourceError naming what
void require_allocation(std::size_t bytes, const std::string& what);

}  // namespace curlew
