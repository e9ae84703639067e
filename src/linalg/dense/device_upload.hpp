// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A matrix from ordinary host memory to the device at the speed of the bus. Only in builds with CUDA.

#include "base/complex.hpp"
#include "linalg/dense/matrix.hpp"

namespace curlew::linalg {

/// Copies a whole matrix; waits for the copy. @param to [rows, cols] on the device
void upload(const DenseMatrix& a, complex<double>* to);

}  // namespace curlew::linalg
