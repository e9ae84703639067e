// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/graded_factors.hpp"

#include "base/error.hpp"
#include "base/log.hpp"

namespace curlew::linalg {
namespace {

class GradedFactors final : public DirectSolver<Complex> {
 public:
  explicit GradedFactors(const DirectOptions& options)
      : options_(options), solver_(make_direct_solver<Complex>(options)) {}

  void analyse(const Csr<Complex>& a) override {
    if (!solver_) solver_ = make_direct_solver<Complex>(options_);
    solver_->analyse(a);
  }
  std::size_t estimated_bytes() const override { return info().estimated_bytes; }
  void factor(const Csr<Complex>& a) override;
  void solve(Complex* x, Index num_rhs) override {
    if (!solver_) throw InputError("direct solver: solve() was called before factor()");
    solver_->solve(x, num_rhs);
  }
  bool require_digits() override {
    if (!options_.single_precision) return solver_ && solver_->require_digits();
    become_double();
    return true;
  }
  const DirectInfo& info() const override { return solver_ ? solver_->info() : info_; }

 private:
  /// Deletes the solver and frees its memory; the next call of factor makes another.
  void leave() {
    info_ = solver_->info();
    solver_.reset();
  }
  void become_double() {
    log::info("direct solver: single precision is not accurate enough: all further factors are in double");
    options_.single_precision = false;
    leave();
  }

  DirectOptions options_;
  std::unique_ptr<DirectSolver<Complex>> solver_;  // null: must be made again
  DirectInfo info_;                                // of the last solver, which was deleted
};

void GradedFactors::factor(const Csr<Complex>& a) {
  if (options_.real_values && !is_real(a)) {
    log::info("direct solver: the matrix now has an imaginary part: all further factors are complex");
    options_.real_values = false;
    leave();
  }
  if (!solver_) analyse(a);
  try {
    return solver_->factor(a);
  } catch (const NumericalError&) {
    if (!options_.single_precision) throw;
    become_double();
  }
  factor(a);
}

}  // namespace

std::unique_ptr<DirectSolver<Complex>> make_graded_factors(const DirectOptions& options) {
  return std::make_unique<GradedFactors>(options);
}

}  // namespace curlew::linalg
