// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Jacobi's preconditioner on the GPU. For builds with CUDA.

#include "base/cuda.hpp"
#include "linalg/krylov/jacobi.hpp"

namespace curlew::linalg {

/// R is double or float.
template <class R>
class DeviceJacobi final : public DeviceOperator<complex<R>> {
 public:
  explicit DeviceJacobi(const Csr<std::complex<R>>& a) : d_(std::size_t(a.num_rows)) {
    d_.upload(reinterpret_cast<const complex<R>*>(inverse_diagonal(a).data()));
  }
  Index size() const override { return Index(d_.size()); }
  void apply(const complex<R>* r, complex<R>* z, const DeviceQueue& queue) const override;
  const complex<R>* diagonal() const override { return d_.data(); }

 private:
  cuda::Buffer<complex<R>> d_;
};

}  // namespace curlew::linalg
