// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A factorised matrix as an operator, z = A^-1 r: the coarse solve of a multilevel preconditioner.

#include <algorithm>
#include <memory>
#include <vector>

#include "linalg/krylov/analysed_pattern.hpp"
#include "linalg/krylov/coarse_solver.hpp"
#include "linalg/krylov/short_factors.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

class DirectOperator final : public CoarseSolver<LinearOperator<Complex>> {
 public:
  /// @param size of the matrix that factor will be given
  DirectOperator(Index size, const DirectOptions& options)
      : size_(size), options_(options), solver_(make_direct_solver<Complex>(options)) {}
  void factor(const Csr<Complex>& a) override {
    pattern_.require(a, [this](const auto& of) { solver_->analyse(of); });
    if (!options_.single_precision) return solver_->factor(a);
    if (factor_and_try(*solver_, SharedMatrix<Complex>(a))) return;
    options_.single_precision = false;
    solver_ = make_direct_solver<Complex>(options_);
    pattern_.forget();
    factor(a);
  }
  void begin(Csr<Complex> pattern) override {
    pattern_.begin(std::move(pattern), [this](const auto& of) { solver_->analyse(of); });
  }
  Index size() const override { return size_; }
  void apply(const Complex* r, Complex* z) const override {
    std::copy(r, r + size(), z);
    solver_->solve(z);
  }
  void apply_many(const Complex* r, Offset ldr, Complex* z, Offset ldz, Index n) const override {
    if (n == 1) return apply(r, z);
    columns_.resize(std::size_t(size_) * std::size_t(n));
    for (Index c = 0; c < n; ++c)
      std::copy(r + c * ldr, r + c * ldr + size_, columns_.begin() + Offset(c) * size_);
    solver_->solve(columns_.data(), n);
    for (Index c = 0; c < n; ++c)
      std::copy(columns_.begin() + Offset(c) * size_, columns_.begin() + Offset(c + 1) * size_, z + c * ldz);
  }
  const DirectInfo& info() const override { return solver_->info(); }

 private:
  Index size_;
  DirectOptions options_;
  std::unique_ptr<DirectSolver<Complex>> solver_;
  mutable std::vector<Complex> columns_;
  AnalysedPattern pattern_;  // after the solver: its destructor waits for its thread
};

}  // namespace curlew::linalg
