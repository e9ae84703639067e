// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An iteration whose products the processes of an MPI run share.

#include "ie/operator/iteration.hpp"
#include "ie/operator/process_group.hpp"

namespace curlew::ie {

/// Calls of process 0 and of the others meet here: `product` while an iteration runs, `done` at its end.
enum class SharedStep : int { product, done };

/// y = A x of all processes, on process 0: announces the product, makes the own rows and adds up.
class SharedProduct final : public linalg::LinearOperator<Complex> {
 public:
  SharedProduct(const linalg::LinearOperator<Complex>& own_rows, const ProcessGroup& group)
      : own_(own_rows), group_(group) {}
  Index size() const override { return own_.size(); }
  void apply(const Complex* x, Complex* y) const override;

 private:
  const linalg::LinearOperator<Complex>& own_;
  const ProcessGroup& group_;
};

/// Process 0: the iteration as it stands, and its results to all.
std::unique_ptr<Iteration> make_leader(std::unique_ptr<Iteration> iteration, Index size,
                                       const ProcessGroup& group);
/// The others: rows of products until an iteration is done, then its results.
/// @param own_rows of this process
std::unique_ptr<Iteration> make_follower(std::unique_ptr<linalg::LinearOperator<Complex>> own_rows,
                                         const ProcessGroup& group);

}  // namespace curlew::ie
