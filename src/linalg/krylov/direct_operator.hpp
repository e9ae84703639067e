// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A factorised matrix as an operator, z = A^-1 r: the coarse solve of a multilevel preconditioner.

#include <algorithm>
#include <memory>

#include "linalg/direct/direct_solver.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

class DirectOperator final : public LinearOperator<Complex> {
 public:
  /// Analyses and factors. @throws what DirectSolver::factor throws
  DirectOperator(const Csr<Complex>& a, const DirectOptions& options)
      : solver_(make_direct_solver<Complex>(options)) {
    solver_->analyse(a);
    solver_->factor(a);
  }
  Index size() const override { return solver_->info().unknowns; }
  void apply(const Complex* r, Complex* z) const override {
    std::copy(r, r + size(), z);
    solver_->solve(z);
  }
  const DirectInfo& info() const { return solver_->info(); }

 private:
  std::unique_ptr<DirectSolver<Complex>> solver_;
};

}  // namespace curlew::linalg
