// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Vectors processed in one sweep, so that each value of the vector that is projected on them, or from which
// they are subtracted, is read once.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/complex.hpp"
#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

/// At most eight vectors. If fewer, the first one is repeated, so that loads need no branch.
template <class S>
struct VectorGroup {
  static constexpr int most = 8;
  int count = 0;
  complex<S>* v[most] = {};

  /// Vectors from `first` to below `end`, as many as fit into one group.
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
