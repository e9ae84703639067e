// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Disjoint sets of the numbers below n (union-find). Source: Tarjan, van Leeuwen
// (1984), Worst-case analysis of set union algorithms, J. ACM 31, 245 (path halving).

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace curlew {

template <class I>
class Sets {
 public:
  /// Every number is a separate set.
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), I(0)); }
  /// The smallest number of i's set.
  I root(I i) {
    while (parent_[std::size_t(i)] != i)
      i = parent_[std::size_t(i)] = parent_[std::size_t(parent_[std::size_t(i)])];
    return i;
  }
  /// @returns false if the two were already in one set
  bool join(I a, I b) {
    a = root(a), b = root(b);
    if (a == b) return false;
    parent_[std::size_t(std::max(a, b))] = std::min(a, b);
    return true;
  }
  /// The root of every number.
  std::vector<I> roots() {
    std::vector<I> all(parent_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = root(I(i));
    return all;
  }

 private:
  std::vector<I> parent_;
};

}  // namespace curlew
