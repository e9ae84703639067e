// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The residual of a solution whose matrix the factorisation has overwritten, from saved rows.

#include <vector>

#include "linalg/dense/matrix.hpp"

namespace curlew::linalg {

class SampledResidual {
 public:
  /// Saves up to 64 rows at equal distances. @param b [n, num_rhs] right-hand sides
  SampledResidual(const DenseMatrix& a, const Complex* b, int num_rhs);

  /// Largest ||b - A x||_2/||b||_2 of all columns, from the saved rows. @param x [n, num_rhs]
  /// @throws NumericalError if it is not finite
  double of(const Complex* x) const;

 private:
  std::size_t row_of(std::size_t s) const { return s * size_ / rows_; }
  std::size_t size_, rows_;
  int num_rhs_;
  std::vector<Complex> kept_;   ///< [size, rows]
  std::vector<Complex> right_;  ///< [num_rhs, rows]
  std::vector<double> norms_;   ///< [num_rhs] of b
};

/// ||A||_1. @throws NumericalError if an entry is not finite
double norm1(const DenseMatrix& a);

}  // namespace curlew::linalg
