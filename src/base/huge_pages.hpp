// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Large arrays with scattered accesses need pages of 2 MB: with the usual 4 kB every other access misses the
// address cache (TLB), and the first access causes a page fault per 4 kB. One thread initialises 1 to 3 GB/s,
// all threads ten times as much.

#include <cstddef>
#include <vector>

namespace curlew {

/// Asks the system for large pages; a hint that the system may ignore. Call it before the first access.
void advise_huge_pages(void* begin, std::size_t bytes);

/// Writes a zero to every page, by all threads: the system clears pages at their first touch. For memory
/// that holds nothing yet.
void touch_pages(void* begin, std::size_t bytes);

/// Sets v to n zeros. New memory lies on large pages that all threads have touched.
template <class T>
void resize_huge(std::vector<T>& v, std::size_t n) {
  v.clear();
  if (v.capacity() < n) {
    std::vector<T>().swap(v);
    v.reserve(n);
    advise_huge_pages(v.data(), n * sizeof(T));
    touch_pages(v.data(), n * sizeof(T));
  }
  v.resize(n);
}

/// n zeros in new memory on large pages.
template <class T>
std::vector<T> huge_vector(std::size_t n) {
  std::vector<T> v;
  resize_huge(v, n);
  return v;
}

}  // namespace curlew
