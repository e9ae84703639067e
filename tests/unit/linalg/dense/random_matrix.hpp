// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Dense systems with known solutions.

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "linalg/dense/matrix.hpp"

namespace curlew::linalg {

inline DenseMatrix random_matrix(Offset n, double diagonal) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  DenseMatrix a(n, n);
  for (Offset j = 0; j < n; ++j) {
    for (Offset i = 0; i < n; ++i)
      a(i, j) = Complex(normal(random), normal(random)) + (i == j ? diagonal : 0.0);
  }
  return a;
}

inline DenseMatrix copy_of(const DenseMatrix& a) {
  DenseMatrix b(a.rows(), a.cols());
  for (Offset j = 0; j < a.cols(); ++j) std::copy(a.column(j), a.column(j) + a.rows(), b.column(j));
  return b;
}

/// Right-hand sides of the solutions x_c(i) = (i + 1) + j c.
inline std::vector<Complex> right_sides(const DenseMatrix& a, int columns) {
  std::vector<Complex> b(std::size_t(a.rows() * columns), 0.0);
  for (int c = 0; c < columns; ++c) {
    for (Offset j = 0; j < a.cols(); ++j) {
      for (Offset i = 0; i < a.rows(); ++i)
        b[std::size_t(c * a.rows() + i)] += a(i, j) * Complex(double(j + 1), c);
    }
  }
  return b;
}

inline double error_of(const std::vector<Complex>& x, Offset n) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Offset row = Offset(i) % n, column = Offset(i) / n;
    worst = std::max(worst, std::abs(x[i] - Complex(double(row + 1), double(column))) / double(n));
  }
  return worst;
}

}  // namespace curlew::linalg
