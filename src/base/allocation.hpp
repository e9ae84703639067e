// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Memory for libraries that end the process where they get none.

#include <cstddef>
#include <string>

namespace curlew {

/// Takes these bytes and gives them back. A limit (ulimit) refuses them; without one the system promises more
/// than it has, and require_memory tells better.
/// @throws ResourceError naming what
void require_allocation(std::size_t bytes, const std::string& what);

}  // namespace curlew
