// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Many right-hand sides as combinations of few of them. On a body of radius a the numerical rank of incident
// waves is about 2 ka for a cut and (2 ka)^2 for all directions, however many there are; since the equation
// is linear, solutions for few give all others by the same combinations. Source: Cheng, Gimbutas, Martinsson
// and Rokhlin (2005), On the compression of low rank matrices, SIAM J. Sci. Comput. 26, 1389 (interpolative
// decomposition). It uses inner products in place of QR of the columns (ngim/pivoted_qr.hpp), so that these
// long columns are not copied.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace curlew::ie {

struct Skeleton {
  std::vector<Index> chosen;      ///< [rank] right-hand sides that are solved
  Eigen::MatrixXcd coefficients;  ///< [rank, count]: b_j = sum_i coefficients(i, j) b_chosen(i), of all j
  double error = 0;               ///< greatest |b_j - combination| / |b_j|, measured
  /// Greatest of sqrt(sum_i |coefficients(i, j)|^2 |b_i|^2)/|b_j|: amplification of independent errors in a
  /// combination.
  double growth = 1;
};

/// @param b [count, n] @param tolerance of every right-hand side, relative; at least 1e-7 is used
Skeleton find_skeleton(std::span<const Complex> b, Index count, double tolerance);

/// x = combinations of solutions. @param solutions [rank, n] @param x [count, n], overwritten
void combine(const Skeleton& skeleton, std::span<const Complex> solutions, std::span<Complex> x);

}  // namespace curlew::ie
