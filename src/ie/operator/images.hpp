// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A x of an integral equation for given columns, without a solution.

#include <vector>

#include "ie/operator/integral_equation.hpp"

namespace curlew::ie {

/// @param x [count, unknowns] @param sum_tolerance of the corrected operator's sums; 0: dense matrix
/// @returns [count, unknowns]
/// @throws ResourceError if memory does not suffice
std::vector<Complex> images(const IntegralEquation& equation, const std::vector<Complex>& x, Index count,
                            double sum_tolerance);

}  // namespace curlew::ie
