// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Products of RWG functions on one triangle.

#include "ie/surface/surface_mesh.hpp"

namespace curlew::ie {

/// int g_a . g_b over a triangle, g_i = (r - p_i)/(2A) [1].
double gram(const SurfaceMesh& mesh, Index triangle, int a, int b);

}  // namespace curlew::ie
