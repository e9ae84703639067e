// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A sort of many small groups.

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/types.hpp"

namespace curlew::ie {

/// Sorts by a key 0 ... num_keys - 1 with few elements each, then by `less` within it.
template <class T, class Key, class Less>
std::vector<T> sorted_by(const std::vector<T>& items, Index num_keys, Key key, Less less) {
  std::vector<Offset> begins(std::size_t(num_keys) + 1);
  for (const T& item : items) ++begins[key(item) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<T> out(items.size());
  auto next = begins;
  for (const T& item : items) out[next[key(item)]++] = item;
#pragma omp parallel for schedule(static)
  for (Index k = 0; k < num_keys; ++k) std::sort(out.begin() + begins[k], out.begin() + begins[k + 1], less);
  return out;
}

}  // namespace curlew::ie
