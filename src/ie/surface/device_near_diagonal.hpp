// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The diagonal of a surface system's matrix, computed on a CUDA device. For builds with CUDA.

#include "ie/surface/system.hpp"

namespace curlew::ie {

/// The diagonal of near_matrix to rounding. @returns [unknowns] @throws ResourceError if it does not fit
std::vector<Complex> device_near_diagonal(const System& system, const std::vector<Entry>& loads);

}  // namespace curlew::ie
