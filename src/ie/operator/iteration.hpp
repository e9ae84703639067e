// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Operator, preconditioner and Krylov loop of an integral equation in host or device memory.

#include "base/process_group.hpp"
#include "ie/operator/solve.hpp"

namespace curlew::ie {

/// The system for vectors on the host; in another basis x = B z it is S B^T A B.
class Iteration {
 public:
  virtual ~Iteration() = default;
  /// @param b, z [unknowns]; z is the start if options.krylov.use_initial_guess
  virtual linalg::KrylovReport solve(const Complex* b, Complex* z) = 0;
  /// Discards the search directions of earlier solutions.
  virtual void forget() = 0;
  virtual void multiply(const Complex* z, Complex* product) = 0;
  /// rhs = S B^T b and x = B z, not overlapping
  virtual void test(const Complex* b, Complex* rhs) = 0;
  virtual void expand(const Complex* z, Complex* x) = 0;
  /// Sizes, and the seconds of a product.
  virtual void describe(SolveReport& report) const = 0;
};

/// Dense on the host; the corrected operator on host or device. @param p moved from @param set_up receives
/// the seconds of its stages @throws ResourceError if memory does not suffice
std::unique_ptr<Iteration> make_iteration(const IntegralEquation& equation, Preconditioning p,
                                          const SolveOptions& options, Stages& set_up);

/// The processes that share the rows of this operator; null: no sharing.
const ProcessGroup* sharing_group(const IntegralEquation& equation, const SolveOptions& options);

}  // namespace curlew::ie
