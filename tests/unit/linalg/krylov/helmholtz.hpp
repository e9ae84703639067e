// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A small Helmholtz problem with an absorbing side, and a dense solve that shares no code with the loops.

#include <Eigen/Dense>
#include <random>
#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg::testing {

/// -u'' - k^2 u on an n x n grid of the unit square by five points, u = 0 outside but on one side, where
/// du/dn = -jku: complex symmetric, indefinite for k above 4.4.
template <class T>
Csr<T> helmholtz(Index n, double k) {
  const double h = 1.0 / (n + 1);
  Coo<T> coo;
  coo.num_rows = coo.num_cols = n * n;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Index row = i * n + j;
      Complex diagonal = 4.0 - k * k * h * h;
      if (i == n - 1) diagonal += Complex(-1, k * h);
      coo.add(row, row, T(diagonal));
      if (i > 0) coo.add(row, row - n, T(-1)), coo.add(row - n, row, T(-1));
      if (j > 0) coo.add(row, row - 1, T(-1)), coo.add(row - 1, row, T(-1));
    }
  }
  return to_csr(coo);
}

/// A matrix whose entries differ from those of A by some `error` of themselves.
template <class T>
Csr<T> disturbed(Csr<T> a, double error) {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (T& value : a.values) value *= T(1.0 + error * Complex(uniform(random), uniform(random)));
  return a;
}

template <class T>
Eigen::VectorXcd dense_solve(const Csr<T>& a, const std::vector<T>& b) {
  Eigen::MatrixXcd dense = Eigen::MatrixXcd::Zero(a.num_rows, a.num_cols);
  for (Index i = 0; i < a.num_rows; ++i) {
    for (Offset e = a.row_offsets[i]; e < a.row_offsets[i + 1]; ++e)
      dense(i, a.columns[e]) = Complex(a.values[e]);
  }
  Eigen::VectorXcd rhs(a.num_rows);
  for (Index i = 0; i < a.num_rows; ++i) rhs[i] = Complex(b[i]);
  return dense.partialPivLu().solve(rhs);
}

template <class T>
double difference(const Eigen::VectorXcd& exact, const std::vector<T>& x) {
  double sum = 0;
  for (Index i = 0; i < Index(x.size()); ++i) sum += std::norm(Complex(x[i]) - exact[i]);
  return std::sqrt(sum) / exact.norm();
}

template <class T>
std::vector<T> right_side(Index n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> b(n);
  for (T& z : b) z = T(Complex(uniform(random), uniform(random)));
  return b;
}

}  // namespace curlew::linalg::testing
