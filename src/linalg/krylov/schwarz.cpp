// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/schwarz.hpp"

#include "linalg/krylov/block_factors.hpp"
#include "linalg/krylov/coarse_space.hpp"
#include "linalg/krylov/direct_operator.hpp"
#include "linalg/krylov/schwarz_steps.hpp"
#include "linalg/sparse/crs_operator.hpp"
#include "linalg/vector/host_backend.hpp"

namespace curlew::linalg {
namespace {

class Schwarz final : public CoarseSolver<LinearOperator<Complex>> {
 public:
  Schwarz(Index size, const DirectOptions& direct, const SchwarzOptions& schwarz)
      : size_(size), direct_(direct), options_(schwarz) {}
  void factor(const Csr<Complex>& a) override {
    parts_ = divide(a, options_.parts, options_.overlap, options_.symmetric, options_.cells);
    if (direct_.symmetry == Symmetry::symmetric)
      inverse_ = std::make_unique<BlockFactors>(parts_.first, direct_.single_precision);
    else
      inverse_ = std::make_unique<DirectOperator>(parts_.matrix.num_rows, direct_);
    inverse_->factor(parts_.matrix);
    parts_.matrix = {};
    if (options_.vectors > 0 && !options_.symmetric) add_coarse_space(a);
  }
  const DirectInfo& info() const override { return inverse_->info(); }
  Index coarse_functions() const override { return coarse_.inverse ? coarse_.inverse->size() : 0; }
  Index size() const override { return size_; }
  void apply(const Complex* r, Complex* z) const override { apply_many(r, size_, z, size_, 1); }
  void apply_many(const Complex* r, Offset ldr, Complex* z, Offset ldz, Index n) const override {
    const auto* from = reinterpret_cast<const V*>(r);
    auto* to = reinterpret_cast<V*>(z);
    steps_.apply(backend_, view(), *inverse_, from, ldr, to, ldz, n);
    if (coarse_.inverse) coarse_.apply(backend_, from, ldr, to, ldz, n);
  }

 private:
  using V = complex<double>;
  SubdomainView view() const {
    return {size_,
            Offset(parts_.rows.size()),
            parts_.rows.data(),
            parts_.places.data(),
            parts_.offsets.data(),
            parts_.into.data(),
            parts_.out.data()};
  }
  void add_coarse_space(const Csr<Complex>& a) {
    matrix_ = a;
    coarse_.matrix = std::make_unique<CrsOperator<Complex>>(matrix_);
    const auto propagate = [this](Complex* vectors, Index count) {
      steps_.propagate(backend_, view(), *inverse_, *coarse_.matrix, reinterpret_cast<V*>(vectors), count,
                       options_.sampling_steps);
    };
    space_ = make_coarse_space(a, parts_.part_of, options_.parts,
                               {.vectors = options_.vectors, .propagate = propagate});
    coarse_.basis = std::make_unique<CrsOperator<Complex>>(space_.basis);
    coarse_.dual = std::make_unique<CrsOperator<Complex>>(space_.dual);
    DirectOptions direct = direct_;
    direct.symmetry = Symmetry::unsymmetric, direct.single_precision = false;
    auto inverse = std::make_unique<DirectOperator>(space_.galerkin.num_rows, direct);
    inverse->factor(space_.galerkin);
    coarse_inverse_ = std::move(inverse);
    coarse_.inverse = coarse_inverse_.get();
  }

  Index size_;
  DirectOptions direct_;
  SchwarzOptions options_;
  Subdomains parts_;
  std::unique_ptr<CoarseSolver<LinearOperator<Complex>>> inverse_;
  Csr<Complex> matrix_;
  CoarseSpace space_;
  std::unique_ptr<LinearOperator<Complex>> coarse_inverse_;
  mutable CoarseCorrection<HostBackend> coarse_;
  mutable HostBackend backend_;
  mutable SchwarzSteps<HostBackend> steps_;
};

}  // namespace

std::unique_ptr<CoarseSolver<LinearOperator<Complex>>> make_coarse_solver(Index size,
                                                                          const DirectOptions& direct,
                                                                          const SchwarzOptions& schwarz) {
  if (schwarz.parts <= 1) return std::make_unique<DirectOperator>(size, direct);
  return std::make_unique<Schwarz>(size, direct, schwarz);
}

}  // namespace curlew::linalg
