// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Vectors that one sweep takes together: each value of the vector that they are projected on, or subtracted
// from, is then read once for all of them.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/complex.hpp"
#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

/// Eight vectors at most. Where there are fewer, the others are the first again, so that no load depends on a
/// branch.
template <class S>
struct VectorGroup {
  static constexpr int most = 8;
  int count = 0;
  complex<S>* v[most] = {};

  /// Vectors from `first` to below `end`, as many as go into one group.
  template <class Vector>
  static VectorGroup of(std::vector<Vector>& vectors, int first, int end) {
    VectorGroup group;
    for (int k = first; k < std::min(first + most, end); ++k) group.add(vectors[std::size_t(k)].data());
    return group;
  }
  void add(complex<S>* vector) {
    if (count == 0) std::fill(v, v + most, vector);
    v[count++] = vector;
  }
  CURLEW_HD Sum coefficient(const Sum* c, int k) const { return k < count ? c[k] : Sum(); }
};

}  // namespace curlew::linalg
