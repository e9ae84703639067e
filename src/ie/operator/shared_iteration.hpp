// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An iteration whose products are shared among the processes of an MPI run.

#include "base/process_group.hpp"
#include "ie/operator/corrected_operator.hpp"
#include "ie/operator/iteration.hpp"

namespace curlew::ie {

/// Process 0 and the others call this together: `product` while an iteration runs, `done` at its end.
enum class SharedStep : int { product, done };

/// Data sent with `product`.
struct AllowedError {
  double error = 0;
  std::size_t kept_free = 0;
};

/// y = A x on process 0: announces the product, computes local rows and sums those of all processes.
class SharedProduct final : public linalg::LinearOperator<Complex> {
 public:
  SharedProduct(CorrectedOperator& own_rows, const ProcessGroup& group) : own_(own_rows), group_(group) {}
  Index size() const override { return own_.size(); }
  void apply(const Complex* x, Complex* y) const override;
  /// As CorrectedOperator::allow, for the products of all processes.
  void allow(double error, std::size_t kept_free) { allowed_ = {error, kept_free}; }

 private:
  CorrectedOperator& own_;
  const ProcessGroup& group_;
  AllowedError allowed_;
};

/// On process 0: the given iteration, whose results are sent to all.
std::unique_ptr<Iteration> make_leader(std::unique_ptr<Iteration> iteration, Index size,
                                       const ProcessGroup& group);
/// On the others: computes rows of products until an iteration is done, then receives its results.
/// @param own_rows of this process
std::unique_ptr<Iteration> make_follower(std::unique_ptr<CorrectedOperator> own_rows,
                                         const ProcessGroup& group);

}  // namespace curlew::ie
