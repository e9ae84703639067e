// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A matrix whose rows stand on one process or on several: products and norms for whoever corrects a solution.

#include <type_traits>
#include <vector>

#include "linalg/csr.hpp"
#include "linalg/direct/mumps.hpp"

namespace curlew::linalg {

/// T is Complex or double; only matrices of Complex can be spread. The own rows outlive it.
template <class T>
class SharedMatrix {
 public:
  /// @param own all rows; of a spread matrix those of this process, the others being empty. Entries of one
  /// place on several processes are added.
  /// @param is_spread over mumps_group(), whose processes then take part in all of these calls
  explicit SharedMatrix(const Csr<T>& own, bool is_spread = false) : own_(&own), is_spread_(is_spread) {}

  const Csr<T>& own() const { return *own_; }
  Index num_rows() const { return own_->num_rows; }
  /// Stored entries of all processes, on process 0. All processes call it.
  Offset count_entries() const;
  /// Y = A X on process 0. @param x, y [num_rows, n], column-major, not overlapping
  void multiply(const T* x, T* y, Index n = 1) const;
  /// Largest sum of the moduli of a row.
  double norm_max() const;
  /// A step of process 0. Of the other processes. @returns false if it is no product and no norm
  bool join(const GroupStep& step) const;

 private:
  std::vector<T> row_sums() const;

  const Csr<T>* own_;
  bool is_spread_;
};

}  // namespace curlew::linalg
