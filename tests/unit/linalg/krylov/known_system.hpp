// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Systems and preconditioners for several tests of Krylov methods.

#include <vector>

#include "helmholtz.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/sparse/crs_operator.hpp"

namespace curlew::linalg::testing {

/// A system whose solution is known.
struct KnownSystem {
  Csr<Complex> a = helmholtz<Complex>(20, 9);
  std::vector<Complex> b = right_side<Complex>(a.num_rows, 1);
  Eigen::VectorXcd exact = dense_solve(a, b);
  CrsOperator<Complex> op{a};
  Jacobi<Complex> jacobi{a};
};

/// z = M r as a general operator, which loops cannot fold into their sweeps.
class Opaque final : public LinearOperator<Complex> {
 public:
  explicit Opaque(const LinearOperator<Complex>& m) : m_(m) {}
  Index size() const override { return m_.size(); }
  void apply(const Complex* r, Complex* z) const override { m_.apply(r, z); }

 private:
  const LinearOperator<Complex>& m_;
};

}  // namespace curlew::linalg::testing
