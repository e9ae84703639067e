// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// near_matrix on a CUDA device: the CPU finds pairs and pattern, the device computes integrals and entries.
// For builds with CUDA.

#include <memory>

#include "ie/surface/near_matrix.hpp"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::ie {

/// The same entries as near_matrix to rounding, in double precision; the same bits every time.
/// @param of_share as in near_matrix @throws ResourceError if it does not fit into the memory of host or
/// device
std::unique_ptr<linalg::DeviceCrs<double>> device_near_matrix(const System& system,
                                                              const std::vector<Entry>& loads,
                                                              NearPairs pairs,
                                                              NearPart part = NearPart::entries,
                                                              const std::vector<char>& of_share = {});

}  // namespace curlew::ie
