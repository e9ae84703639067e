// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The full matrix of a surface system, for direct solution and as reference of fast products.

#include "ie/surface/system.hpp"
#include "linalg/dense/matrix.hpp"

namespace curlew::ie {

/// Columns of one source triangle against all test triangles, triangle after triangle over the threads; for
/// symmetric systems half the pairs. It takes about 10 ns per pair of triangles and region, and 16 N^2 bytes.
/// @throws ResourceError if the matrix does not fit
linalg::DenseMatrix fill_dense(const System& system);

}  // namespace curlew::ie
