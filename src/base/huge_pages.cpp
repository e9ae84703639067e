// SPDX-License-Identifier: BSD-3-Clause
#include "base/huge_pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace curlew {

void advise_huge_pages(void* begin, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 4096;
  const auto from = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const auto to = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / page * page;
  if (to > from + (std::uintptr_t(4) << 20)) madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
#else
  (void)begin, (void)bytes;
#endif
}

void touch_pages(void* begin, std::size_t bytes) {
  constexpr std::size_t page = 4096, few = std::size_t(4) << 20;
  if (bytes < few) return;
  auto* const at = static_cast<volatile char*>(begin);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < bytes; i += page) at[i] = 0;
}

}  // namespace curlew
