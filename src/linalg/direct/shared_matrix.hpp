// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A matrix whose rows stand on one process or on several: products and norms for corrections of a solution.

#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/csr.hpp"
#include "linalg/direct/mumps.hpp"

namespace curlew::linalg {

/// T is Complex or double; only matrices of Complex can be distributed. The own rows outlive it.
template <class T>
class SharedMatrix {
 public:
  /// A matrix of this process.
  /// @param make writes the values before they are read for the first time, where they are not there yet;
  /// what solvers of the GPU need of a matrix is there without them
  explicit SharedMatrix(const Csr<T>& own, std::function<void()> make = {})
      : own_(&own), make_(std::move(make)) {}
  /// One that is spread over mumps_group(), whose processes then take part in all of these calls.
  /// @param own rows of this process, the others being empty; of a symmetric matrix their lower triangle.
  /// Entries of one place on several processes are added.
  SharedMatrix(const Csr<T>& own, Symmetry symmetry)
      : own_(&own), is_spread_(true), is_half_(symmetry == Symmetry::symmetric) {}

  const Csr<T>& own() const {
    if (make_) make_();
    return *own_;
  }
  /// The same with any values.
  const Csr<T>& pattern() const { return *own_; }
  bool is_spread() const { return is_spread_; }
  Index num_rows() const { return own_->num_rows; }
  /// Stored entries of all processes, on process 0. All processes call it.
  Offset count_entries() const;
  /// Y = A X on process 0. @param x, y [num_rows, n], column-major, not overlapping
  void multiply(const T* x, T* y, Index n = 1) const;
  /// The same within a step that all processes take, of which nothing is announced. y holds the product on
  /// process 0 alone. @param x of process 0, which the others are sent
  void multiply_jointly(T* x, T* y, Index n = 1) const;
  /// Largest sum of the moduli of a row.
  double norm_max() const;
  /// A step of process 0. Of the other processes. @returns false if it is no product and no norm
  bool join(const GroupStep& step) const;

 private:
  std::vector<T> row_sums() const;
  void multiply_own(const T* x, T* y, Index n) const;

  const Csr<T>* own_;
  std::function<void()> make_;  // empty: the values are there
  bool is_spread_ = false, is_half_ = false;
};

/// Leaves out what stands above the diagonal, and gives its memory back.
void keep_lower_triangle(Csr<Complex>& a);

}  // namespace curlew::linalg
