// SPDX-License-Identifier: BSD-3-Clause
#include "base/allocation.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace curlew {

void require_allocation(std::size_t bytes, const std::string& what) {
  void* volatile trial = std::malloc(bytes);  // volatile: else the compiler leaves it out
  if (trial == nullptr)
    throw ResourceError(fmt::format("{}: out of memory: a limit forbids {:.2g} GiB more", what, gib(bytes)));
  std::free(trial);
}

}  // namespace curlew
