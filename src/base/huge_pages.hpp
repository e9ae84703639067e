// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Large arrays that are read and written at scattered places want pages of 2 MB: with the usual 4 kB every
// other access misses the address cache, and the first touch takes a page fault per 4 kB.

#include <cstddef>
#include <vector>

namespace curlew {

/// Asks the system for large pages; a hint that costs nothing where it is not heeded. To be called before the
/// first touch.
void advise_huge_pages(void* begin, std::size_t bytes);

/// n zeros in new memory on large pages.
template <class T>
std::vector<T> huge_vector(std::size_t n) {
  std::vector<T> v;
  v.reserve(n);
  advise_huge_pages(v.data(), n * sizeof(T));
  v.resize(n);
  return v;
}

}  // namespace curlew
