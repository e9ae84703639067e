// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The full matrix of a surface system, for direct solution and as reference of fast products.

#include "ie/surface/near_series.hpp"
#include "ie/surface/system.hpp"
#include "linalg/dense/matrix.hpp"

namespace curlew::ie {

/// Columns of one source triangle against all test triangles, triangle after triangle over the threads; for
/// symmetric systems half the pairs. It takes about 10 ns per pair of triangles and region, and 16 N^2 bytes.
/// @param near blocks of near pairs of the same mesh, where they cover the frequency, or null
/// @throws ResourceError if the matrix does not fit
linalg::DenseMatrix fill_dense(const System& system, const NearSeries* near = nullptr);

}  // namespace curlew::ie
