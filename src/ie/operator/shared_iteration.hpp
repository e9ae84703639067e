// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An iteration whose products the processes of an MPI run share.

#include "ie/operator/corrected_operator.hpp"
#include "ie/operator/iteration.hpp"
#include "ie/operator/process_group.hpp"

namespace curlew::ie {

/// Process 0 and the others call this together: `product` while an iteration runs, `done` at its end.
enum class SharedStep : int { product, done };

/// What comes with `product`.
struct AllowedError {
  double error = 0;
  std::size_t kept_free = 0;
};

/// y = A x of all processes, on process 0: announces the product, makes the own rows and adds up.
class SharedProduct final : public linalg::LinearOperator<Complex> {
 public:
  SharedProduct(CorrectedOperator& own_rows, const ProcessGroup& group) : own_(own_rows), group_(group) {}
  Index size() const override { return own_.size(); }
  void apply(const Complex* x, Complex* y) const override;
  /// As CorrectedOperator, of the products of all.
  void allow(double error, std::size_t kept_free) { allowed_ = {error, kept_free}; }

 private:
  CorrectedOperator& own_;
  const ProcessGroup& group_;
  AllowedError allowed_;
};

/// Process 0: the iteration as it stands, and its results to all.
std::unique_ptr<Iteration> make_leader(std::unique_ptr<Iteration> iteration, Index size,
                                       const ProcessGroup& group);
/// The others: rows of products until an iteration is done, then its results.
/// @param own_rows of this process
std::unique_ptr<Iteration> make_follower(std::unique_ptr<CorrectedOperator> own_rows,
                                         const ProcessGroup& group);

}  // namespace curlew::ie
