// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions of the system with its ports, (A + F K Lᵀ) x = b, by the factors of A alone and Woodbury's
// formula, x = y - X K v with y = A⁻¹b, X = A⁻¹F and (I + Lᵀ X K) v = Lᵀ y, and their refinement by it.
// Without loss A is the matrix of a closed device, which resonates: y and X are then far larger than x, and
// their difference has the fewer digits. A correction gains as many digits as the formula still has.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <functional>

#include "base/types.hpp"
#include "linalg/direct/refined_columns.hpp"
#include "linalg/direct/shared_matrix.hpp"

namespace curlew::fem {

/// What ports add to A.
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

class CoupledColumns final : public linalg::RefinedColumns {
 public:
  /// y = A⁻¹r of n columns.
  using Substitute = std::function<void(const Complex* r, Complex* y, Index n)>;

  /// @param b [unknowns, n] @param[in,out] x [unknowns, n] solutions so far. All outlive the columns.
  CoupledColumns(const linalg::SharedMatrix<Complex>& a, const Woodbury& inverse, const Eigen::MatrixXcd& b,
                 Eigen::MatrixXcd& x, Substitute substitute);

  void start(double* residuals) override;
  void try_correction(double* residuals, double* corrections) override;
  void take(Index column) override;
  linalg::LargestOfColumn largest(Index column) const override;
  double norm_of_matrix() const override { return a_.norm_max(); }
  void finish() override {}

 private:
  Eigen::MatrixXcd residual_of(const Eigen::MatrixXcd& x, double* sizes) const;

  const linalg::SharedMatrix<Complex>& a_;
  const Woodbury& inverse_;
  const Eigen::MatrixXcd& b_;
  Eigen::MatrixXcd& x_;
  Substitute substitute_;
  Eigen::MatrixXcd r_, trial_, trial_r_;  // residuals; x and r of a step that may be taken
};

}  // namespace curlew::fem
