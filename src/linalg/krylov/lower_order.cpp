// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/lower_order.hpp"

#include "linalg/krylov/gauss_seidel.hpp"
#include "linalg/krylov/lower_order_cycle.hpp"
#include "linalg/krylov/solver_memory.hpp"
#include "linalg/sparse/crs_operator.hpp"
#include "linalg/vector/host_backend.hpp"

namespace curlew::linalg {
namespace {

class HostLowerOrder final : public LinearOperator<Complex> {
 public:
  HostLowerOrder(const Csr<Complex>& a, const LinearOperator<Complex>& product, const LowerOrder& lower,
                 const LinearOperator<Complex>& coarse, int steps)
      : basis_(lower.interpolation),
        dual_(transpose(basis_)),
        smoother_(colour_rows(a)),
        cycle_(correction(product, coarse), sweep(), steps) {}
  Index size() const override { return cycle_.size(); }
  void apply(const Complex* r, Complex* z) const override { apply_many(r, size(), z, size(), 1); }
  void apply_many(const Complex* r, Offset ldr, Complex* z, Offset ldz, Index n) const override {
    cycle_.apply(backend_, reinterpret_cast<const complex<double>*>(r), ldr,
                 reinterpret_cast<complex<double>*>(z), ldz, n);
  }

 private:
  CoarseCorrection<HostBackend> correction(const LinearOperator<Complex>& product,
                                           const LinearOperator<Complex>& coarse) {
    CoarseCorrection<HostBackend> c;
    c.matrix = {std::shared_ptr<void>(), &product};
    c.basis = std::make_unique<CrsOperator<Complex>>(basis_);
    c.dual = std::make_unique<CrsOperator<Complex>>(dual_);
    c.inverse = &coarse;
    return c;
  }
  LowerOrderCycle<HostBackend>::Sweep sweep() {
    return [this](auto... of) { smoother_.sweep(of...); };
  }

  Csr<Complex> basis_, dual_;
  GaussSeidel<double> smoother_;
  mutable HostBackend backend_;
  mutable LowerOrderCycle<HostBackend> cycle_;
};

}  // namespace

std::unique_ptr<HostMemory::Operator> HostMemory::lower_order(
    const Csr<Complex>& a, const std::shared_future<const Operator*>& product, const LowerOrder& lower,
    const Operator& coarse, const MultilevelOptions& options) {
  return std::make_unique<HostLowerOrder>(a, *product.get(), lower, coarse, options.smoothing_steps);
}

}  // namespace curlew::linalg
