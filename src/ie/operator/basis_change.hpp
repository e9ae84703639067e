// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Another basis for the currents and tests of a surface system, applied by sparse matrices and one sparse
// solve: x = B z with B = E [1; L^-1 Q], tested by S B^T with signs S.

#include "linalg/krylov/direct_operator.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::ie {

struct BasisTransform {
  linalg::Csr<Complex> expand;     ///< E [unknowns, unknowns + potentials]
  linalg::Csr<Complex> charges;    ///< Q [potentials, unknowns]
  linalg::Csr<Complex> laplacian;  ///< L [potentials, potentials], symmetric
  std::vector<double> signs;       ///< S [unknowns]

  bool is_empty() const { return expand.num_rows == 0; }
  Index num_potentials() const { return laplacian.num_rows; }
  /// S [1, Q^T]: S B^T is this, with L^-1 in between, after E^T.
  linalg::Csr<Complex> gather() const;
};

/// On the host.
class BasisChange {
 public:
  /// Factorises L. @throws NumericalError or ResourceError as the factorisation
  explicit BasisChange(const BasisTransform& basis);
  Index size() const { return expand_.num_rows; }
  /// x = B z. @param z, x [unknowns], not overlapping
  void expand(const Complex* z, Complex* x) const;
  /// z = S B^T r
  void test(const Complex* r, Complex* z) const;

 private:
  linalg::Csr<Complex> expand_, transposed_, charges_, gather_;
  linalg::DirectOperator laplacian_;
  mutable std::vector<Complex> long_, potentials_;
};

/// z -> S B^T A B z
class ChangedBasis final : public linalg::LinearOperator<Complex> {
 public:
  /// Both are stored by reference.
  ChangedBasis(const linalg::LinearOperator<Complex>& a, const BasisChange& basis)
      : a_(a), basis_(basis), x_(std::size_t(a.size())), y_(x_.size()) {}
  Index size() const override { return a_.size(); }
  void apply(const Complex* z, Complex* y) const override {
    basis_.expand(z, x_.data());
    a_.apply(x_.data(), y_.data());
    basis_.test(y_.data(), y);
  }

 private:
  const linalg::LinearOperator<Complex>& a_;
  const BasisChange& basis_;
  mutable std::vector<Complex> x_, y_;
};

}  // namespace curlew::ie
