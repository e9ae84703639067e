// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All that an iterative loop knows about FEM, NGIM or the truncation.

#include "base/types.hpp"

namespace curlew::linalg {

/// y = A x on host or device memory, whichever the implementation and its caller agree on.
template <class T>
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual Index size() const = 0;
  /// @param x, y [size()], not overlapping
  virtual void apply(const T* x, T* y) const = 0;
};

}  // namespace curlew::linalg
