// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An estimate of the 1-norm of an inverse from a few solves with the matrix and its adjoint.
// Source: Hager (1984), SIAM J. Sci. Stat. Comput. 5, 311; Higham (1988), ACM TOMS 14, 381 (LAPACK's zlacn2).

#include <cmath>
#include <functional>
#include <vector>

#include "base/types.hpp"

namespace curlew::linalg {

/// Estimates ||A^-1||_1 from below, mostly within a factor of 3.
/// @param solve overwrites a vector [n] by A^-1 v, or by A^-H v if `adjoint`
inline double inverse_norm_estimate(Offset n, const std::function<void(Complex* v, bool adjoint)>& solve) {
  const auto size = std::size_t(n);
  const auto norm1 = [&](const std::vector<Complex>& v) {
    double sum = 0;
    for (const Complex c : v) sum += std::abs(c);
    return sum;
  };
  std::vector<Complex> x(size, 1.0 / double(n)), sign(size);
  double estimate = 0;
  std::size_t last = size;
  for (int iteration = 0; iteration < 5; ++iteration) {
    solve(x.data(), false);
    const double norm = norm1(x);
    if (iteration > 0 && norm <= estimate) break;
    estimate = norm;
    for (std::size_t i = 0; i < size; ++i) sign[i] = std::abs(x[i]) > 0 ? x[i] / std::abs(x[i]) : 1.0;
    solve(sign.data(), true);
    std::size_t largest = 0;
    for (std::size_t i = 1; i < size; ++i) {
      if (std::abs(sign[i]) > std::abs(sign[largest])) largest = i;
    }
    if (largest == last) break;
    last = largest;
    x.assign(size, 0.0);
    x[largest] = 1;
  }
  // A vector of alternating sign and growing magnitude covers cases that the iteration misses.
  for (std::size_t i = 0; i < size; ++i) {
    x[i] = (i % 2 ? -1.0 : 1.0) * (1 + double(i) / double(std::max<std::size_t>(size - 1, 1)));
  }
  solve(x.data(), false);
  return std::max(estimate, 2 * norm1(x) / (3 * double(n)));
}

}  // namespace curlew::linalg
