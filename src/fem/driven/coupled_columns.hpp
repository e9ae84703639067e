// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions of the system with its ports, (A + F K Lᵀ) x = b, by the factors of A and Woodbury's formula, x =
// y - X K v with y = A⁻¹b, X = A⁻¹F and (I + Lᵀ X K) v = Lᵀ y, and their refinement by it. Without loss A is
// the matrix of a closed device, which resonates: y and X are then far larger than x, and their difference
// loses digits. A refinement step gains as many digits as the formula still has.

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "base/types.hpp"
#include "linalg/direct/refinement.hpp"

namespace curlew::fem {

/// Terms of the ports, added to A.
struct PortTerms {
  Eigen::SparseMatrix<Complex> loads, rows;  ///< F and L [unknowns, columns]
  Eigen::MatrixXcd coupling;                 ///< K [columns, columns]
};

class Woodbury {
 public:
  /// @param of_loads X [unknowns, columns]
  Woodbury(PortTerms terms, Eigen::MatrixXcd of_loads);
  const PortTerms& terms() const { return terms_; }
  /// x [unknowns, any] = y - X K v.
  Eigen::MatrixXcd coupled(const Eigen::MatrixXcd& y) const;

 private:
  PortTerms terms_;
  Eigen::MatrixXcd of_loads_, amplitudes_;  // X, Lᵀ X
};

/// A + F K Lᵀ with Woodbury's formula as approximate inverse. All arguments must outlive it. @param of_a A
/// and an approximate A⁻¹
linalg::RefinedSystem<Complex> coupled_system(const linalg::RefinedSystem<Complex>& of_a,
                                              const Woodbury& inverse);

}  // namespace curlew::fem
