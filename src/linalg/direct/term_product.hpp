// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Products of one term of a sum, for models of reduced size.

#include <vector>

#include "linalg/direct/matrix_sum.hpp"

namespace curlew::linalg {

/// Y = V X for n columns. @param term of the sum's terms @param part its re or im, the entries of V
/// @param x, y [unknowns, n], column-major, not overlapping
void multiply(const MatrixSum& sum, const MatrixTerm& term, const std::vector<double>& part, const double* x,
              double* y, Index n);

}  // namespace curlew::linalg
