// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The error of far fields caused by the error of a solution.

#include <vector>

namespace curlew::ie {

/// Factor of `elements` in error bars: they are 0.7 to 4 times the greatest error of the far fields of
/// spheres (docs/measured/ie_volume.md).
inline constexpr double bound_safety = 1.4;

/// Estimates of the error of the far field of a wave of 1 V/m in any direction [V]: far fields are
/// stationary, and the wave that arrives from a direction has errors as large as this one's (Becker and
/// Rannacher 2001, Acta Numerica 10: dual weights; here of the same size, since the matrix is symmetric).
struct FarFieldError {
  double elements = 0;         ///< of basis functions
  double shape = 0;            ///< of flat facets
  std::vector<double> shares;  ///< [cells of the body, triangles] of `elements`
};

}  // namespace curlew::ie
