// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/schwarz.hpp"

#include "linalg/krylov/direct_operator.hpp"
#include "linalg/krylov/schwarz_steps.hpp"
#include "linalg/vector/host_backend.hpp"

namespace curlew::linalg {
namespace {

class Schwarz final : public CoarseSolver<LinearOperator<Complex>> {
 public:
  Schwarz(Index size, const DirectOptions& direct, const SchwarzOptions& schwarz)
      : size_(size), direct_(direct), options_(schwarz) {}
  void factor(const Csr<Complex>& a) override {
    parts_ = divide(a, options_.parts, options_.overlap, options_.symmetric);
    inverse_ = std::make_unique<DirectOperator>(parts_.matrix.num_rows, direct_);
    inverse_->factor(parts_.matrix);
    parts_.matrix = {};
  }
  const DirectInfo& info() const override { return inverse_->info(); }
  Index size() const override { return size_; }
  void apply(const Complex* r, Complex* z) const override { apply_many(r, size_, z, size_, 1); }
  void apply_many(const Complex* r, Offset ldr, Complex* z, Offset ldz, Index n) const override {
    using V = complex<double>;
    const SubdomainView view{size_,
                             Offset(parts_.rows.size()),
                             parts_.rows.data(),
                             parts_.places.data(),
                             parts_.offsets.data(),
                             parts_.into.data(),
                             parts_.out.data()};
    steps_.apply(backend_, view, *inverse_, reinterpret_cast<const V*>(r), ldr, reinterpret_cast<V*>(z), ldz,
                 n);
  }

 private:
  Index size_;
  DirectOptions direct_;
  SchwarzOptions options_;
  Subdomains parts_;
  std::unique_ptr<DirectOperator> inverse_;
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
