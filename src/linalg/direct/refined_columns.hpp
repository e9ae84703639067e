// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Data of iterative refinement (refinement.hpp): solutions of many right-hand sides, their residuals, and
// trial values of both, stored in the memory of the factors.

#include "base/types.hpp"

namespace curlew::linalg {

/// Largest moduli of a column.
struct LargestOfColumn {
  double x = 0, b = 0, r = 0;
};

/// X solves A X = B, R = B - A X.
class RefinedColumns {
 public:
  virtual ~RefinedColumns() = default;

  /// X = A⁻¹ B and R.
  /// @param[out] residuals [columns] ||r|| / ||b||, ||r|| for b = 0
  /// @throws NumericalError if X is not finite
  virtual void start(double* residuals) = 0;
  /// Computes the trial X + A⁻¹ R and its residuals.
  /// @param[out] residuals [columns] of the trial
  /// @param[out] corrections [columns] ||A⁻¹ r|| / ||x||, 0 for x = 0
  virtual void try_correction(double* residuals, double* corrections) = 0;
  /// Accepts the trial of a column as its solution.
  virtual void take(Index column) = 0;
  virtual LargestOfColumn largest(Index column) const = 0;
  /// Norm of A: the largest sum of the moduli of a row.
  virtual double norm_of_matrix() const = 0;
  /// Copies X to the memory given to the constructor.
  virtual void finish() = 0;
};

}  // namespace curlew::linalg
