// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Memory for libraries that end the process where they get none.

#include <cstddef>
#include <string>

namespace curlew {

/// Allocates these bytes and frees them. Only a limit (ulimit) makes this fail; otherwise the system promises
/// more than it has, and require_memory is the better check.
/// @throws ResourceError naming what
void require_allocation(std::size_t bytes, const std::string& what);

}  // namespace curlew
