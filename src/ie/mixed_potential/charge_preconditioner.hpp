// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A preconditioner for the EFIE on fine meshes, where charges dominate: the sparse matrix
//   S = Re(local exp(-j phi)) + P^T diag(|a| V_ee, |b| V_ee) P,   V_ee = int int 1/R over one element,
// is the equation with only self-interactions of elements. It is symmetric and positive, and has the large
// eigenvalues of the matrix (div f, G div f on the scale of the mesh); a fixed number of Chebyshev steps
// inverts it accurately enough and is a linear operator, so that every Krylov method may use it. Source of
// the iteration: Saad (2003), Iterative Methods for Sparse Linear Systems, algorithm 12.1.

#include "ie/mixed_potential/mixed_potential.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::ie {

/// S and data of the iteration. z = S^-1 r up to a factor of modulus 1, which does not matter.
struct ChargeMatrix {
  linalg::Csr<double> s;
  std::vector<double> inverse_diagonal;
  double largest = 1, smallest = 1;  ///< eigenvalues of D^-1 S between which the polynomial is small
};
ChargeMatrix make_charge_matrix(const MixedPotentialSystem& system);

/// The two factors of each step: d = keep d + take D^-1 r.
struct ChebyshevStep {
  double keep, take;
};
std::vector<ChebyshevStep> chebyshev_steps(const ChargeMatrix& matrix);

class ChargePreconditioner final : public linalg::LinearOperator<Complex> {
 public:
  explicit ChargePreconditioner(ChargeMatrix matrix) : matrix_(std::move(matrix)) {}
  Index size() const override { return matrix_.s.num_rows; }
  void apply(const Complex* r, Complex* z) const override;

 private:
  ChargeMatrix matrix_;
};

}  // namespace curlew::ie
