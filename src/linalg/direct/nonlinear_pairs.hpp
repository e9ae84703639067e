// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Eigenpairs T(λ) x = 0 of a matrix that depends smoothly on λ, from estimates of several of them: all are
// corrected in one space. T is known at Chebyshev points; in the space of the estimates Newton's method
// solves the small problem; the residuals of its pairs, divided by an approximation of T, extend the space.
// Source: H. Voss, BIT 44 (2004) 387 (nonlinear Arnoldi method); S. Güttel, F. Tisseur, Acta Numerica 26
// (2017) 1, sections 4.5 and 6.1.

#include <functional>
#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

struct NonlinearPairs {
  std::vector<Complex> values;    ///< [count]
  std::vector<Complex> vectors;   ///< [n, count] of norm 1
  std::vector<double> residuals;  ///< [count] |T x| / |λ T' x|
};

/// T at real points p is Σ_t factors[t][p] terms[t]. Terms may leave out entries that are zero.
struct SplitMatrix {
  std::vector<Csr<Complex>> terms;
  std::vector<std::vector<Complex>> factors;
};

struct MatrixFunction {
  std::function<Csr<Complex>(Complex)> at;                                   ///< T(λ)
  std::function<SplitMatrix(const std::vector<double>& points)> split = {};  ///< empty: T at the points
  bool is_symmetric = true;                                                  ///< T = Tᵀ
};

/// Replaces columns r_i [n, values] by T(λ_i)⁻¹ r_i, approximately. @param values λ_i
using Divide = std::function<void(const std::vector<Complex>& values, Complex* columns)>;

/// @param start values with positive real parts, and vectors
/// @param tolerance of the residuals at which a pair is accepted. Pairs that do not reach it keep their last
/// values, as where T changes too fast between its samples, or the small problem does not converge
NonlinearPairs correct_together(const MatrixFunction& function, const NonlinearPairs& start, double tolerance,
                                const Divide& divide);

}  // namespace curlew::linalg
