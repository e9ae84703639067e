// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Eigenpairs T(λ) x = 0 of a matrix that depends smoothly on λ, from estimates of several of them: all are
// corrected in one space, with one factorisation. T is sampled at Chebyshev points; in the space of the
// estimates Newton's method solves the small problem; the residuals of its pairs, divided by T at the middle,
// extend the space. Source: H. Voss, BIT 44 (2004) 387 (nonlinear Arnoldi method); S. Güttel, F. Tisseur,
// Acta Numerica 26 (2017) 1, sections 4.5 and 6.1.

#include <functional>
#include <vector>

#include "linalg/csr.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {

struct NonlinearPairs {
  std::vector<Complex> values;    ///< [count]
  std::vector<Complex> vectors;   ///< [n, count] of norm 1
  std::vector<double> residuals;  ///< [count] |T x| / |λ T' x|
};

/// @param at T(λ), always with the same pattern
/// @param start values with positive real parts, and vectors
/// @param tolerance of the residuals at which a pair is accepted. Pairs that do not reach it keep their last
/// values: if T changes too fast between its samples, or the small problem does not converge
/// @param solver analysed for the pattern; factors T at the middle of the values
/// @param is_symmetric T = Tᵀ
NonlinearPairs correct_together(const std::function<Csr<Complex>(Complex)>& at, const NonlinearPairs& start,
                                double tolerance, DirectSolver<Complex>& solver, bool is_symmetric);

}  // namespace curlew::linalg
