// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What iterative refinement works on (refinement.hpp): solutions of many right-hand sides side by side, their
// residuals, and a trial of both. A solver keeps them where its factors are.

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
  /// The trial X + A⁻¹ R and what it leaves.
  /// @param[out] residuals [columns] of the trial
  /// @param[out] corrections [columns] ||A⁻¹ r|| / ||x||, 0 for x = 0
  virtual void try_correction(double* residuals, double* corrections) = 0;
  /// The trial of a column becomes its solution.
  virtual void take(Index column) = 0;
  virtual LargestOfColumn largest(Index column) const = 0;
  /// Of A: the largest sum of the moduli of a row.
  virtual double norm_of_matrix() const = 0;
  /// X is in the memory that the columns were made for.
  virtual void finish() = 0;
};

}  // namespace curlew::linalg
