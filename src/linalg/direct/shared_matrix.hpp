// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A matrix whose rows are on one process or distributed: products and norms for corrections of a solution.

#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/csr.hpp"
#include "linalg/direct/mumps.hpp"

namespace curlew::linalg {

/// T is Complex or double; only Complex matrices can be distributed. The rows of this process must outlive
/// it.
template <class T>
class SharedMatrix {
 public:
  /// A matrix of this process.
  /// @param make computes the values before they are first read, if needed; GPU solvers need only the pattern
  explicit SharedMatrix(const Csr<T>& own, std::function<void()> make = {})
      : own_(&own), make_(std::move(make)) {}
  /// A matrix distributed over `processes`; all its calls are collective. @param own rows of this process,
  /// the others being empty; for a symmetric matrix their lower triangle. Entries of the same position on
  /// several processes are added.
  SharedMatrix(const Csr<T>& own, Symmetry symmetry, const ProcessGroup& processes)
      : own_(&own), processes_(&processes), is_half_(symmetry == Symmetry::symmetric) {}

  const Csr<T>& own() const {
    if (make_) make_();
    return *own_;
  }
  /// The matrix with undefined values.
  const Csr<T>& pattern() const { return *own_; }
  bool is_spread() const { return processes_ != nullptr; }
  /// Those of a distributed matrix.
  const ProcessGroup& processes() const { return *processes_; }
  Index num_rows() const { return own_->num_rows; }
  /// Number of stored entries of all processes, on process 0. Collective.
  Offset count_entries() const;
  /// Y = A X on process 0. @param x, y [num_rows, n], column-major, not overlapping
  void multiply(const T* x, T* y, Index n = 1) const;
  /// The same within a collective step, without announcement. y is valid on process 0 only. @param x of
  /// process 0, sent to the others
  void multiply_jointly(T* x, T* y, Index n = 1) const;
  /// Largest sum of the moduli of a row.
  double norm_max() const;
  /// On other processes: takes a step of process 0. @returns false if it is neither product nor norm
  bool join(const GroupStep& step) const;

 private:
  std::vector<T> row_sums() const;
  void multiply_own(const T* x, T* y, Index n) const;

  const Csr<T>* own_;
  std::function<void()> make_;               // empty: values exist
  const ProcessGroup* processes_ = nullptr;  // null: not distributed
  bool is_half_ = false;
};

/// Removes entries above the diagonal and frees their memory.
void keep_lower_triangle(Csr<Complex>& a);

}  // namespace curlew::linalg
