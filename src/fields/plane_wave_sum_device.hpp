// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Plane wave sums on the GPU. Private to this module; for builds with CUDA.

#include <span>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::fields {

/// @param points [n] times k @param moments [columns, n] @param units [directions]
/// @return [columns, directions]
std::vector<Complex> all_on_device(std::span<const Vec3<double>> points, std::span<const Complex> moments,
                                   std::span<const Vec3<double>> units);

}  // namespace curlew::fields
