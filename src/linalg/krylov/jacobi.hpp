// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Jacobi's preconditioner, z_i = r_i / a_ii, which Krylov loops apply within vector operations.

#include <vector>

#include "linalg/csr.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

/// 1 / a_ii. @throws NumericalError naming the first row whose diagonal is missing, zero or not finite
template <class T>
std::vector<T> inverse_diagonal(const Csr<T>& a);

template <class T>
class Jacobi final : public LinearOperator<T> {
 public:
  explicit Jacobi(const Csr<T>& a) : d_(inverse_diagonal(a)) {}
  Index size() const override { return Index(d_.size()); }
  void apply(const T* r, T* z) const override {
    for (std::size_t i = 0; i < d_.size(); ++i) z[i] = d_[i] * r[i];
  }
  const T* diagonal() const override { return d_.data(); }

 private:
  std::vector<T> d_;
};

}  // namespace curlew::linalg
