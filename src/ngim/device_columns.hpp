// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Matrices in the layout of the kernels. Host code, not in a .cu file since it uses all threads.

#include <vector>

#include "base/complex.hpp"
#include "base/types.hpp"

namespace curlew::ngim {

/// A row-major matrix [rows, cols] by columns of `stride` values: out[j * stride + i] = values[i * cols + j].
/// @param transposed out[i * stride + j] = values[i * cols + j] instead
template <class T>
std::vector<complex<T>> device_columns(const std::vector<Complex>& values, int rows, int cols, int stride,
                                       bool transposed);

}  // namespace curlew::ngim
