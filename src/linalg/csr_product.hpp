// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Products of matrices that share one pattern, as the terms of a sum do.

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Y = A X for n columns. @param pattern of A; its own values are not read @param values [nnz] of A
/// @param x [num_cols, n] @param y [num_rows, n], column-major
template <class P, class T>
void multiply(const Csr<P>& pattern, const T* values, const T* x, T* y, Index n);

}  // namespace curlew::linalg
