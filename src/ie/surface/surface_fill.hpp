// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Surface formulations as OperatorFill of the corrected operator.

#include "curlew/build.hpp"
#include "ie/surface/surface_product.hpp"
#include "linalg/csr.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "linalg/sparse/device_matrix.hpp"
#endif

namespace curlew::ie {

/// On the CPU. @param corrections of near pairs, with Gram terms and loads: near_matrix
std::unique_ptr<HostFill> make_surface_fill(SurfaceSums sums, linalg::Csr<Complex> corrections);

#ifdef CURLEW_HAVE_CUDA
/// On the device. @param corrections as above: device_near_matrix
/// @throws ResourceError if the device's memory does not suffice
std::unique_ptr<DeviceFill> make_device_surface_fill(SurfaceSums sums,
                                                     std::unique_ptr<linalg::DeviceCrs<double>> corrections);
#endif

}  // namespace curlew::ie
