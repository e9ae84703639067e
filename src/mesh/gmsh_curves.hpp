// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Physical curves of the geometry in Gmsh's current model.

#include <string>
#include <vector>

#include "mesh/curves.hpp"

namespace curlew::mesh {

/// @param file its name, for messages
/// @param metres in one unit of the model
/// @throws InputError if there is no physical curve, or one does not lie in the plane z = 0, or is no contour
std::vector<PhysicalCurve> extract_curves(const std::string& file, double metres);

}  // namespace curlew::mesh
