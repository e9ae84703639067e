// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The surface of a lumped port: a strip of constant width between two conductors, with a uniform field.

#include <string>

#include "ie/surface/surface_mesh.hpp"

namespace curlew::ie {

/// Length of the strip along its direction [m].
/// @param tag of the surface @param direction unit @param port names the port in messages
/// @throws InputError for a surface without extent along the direction, one whose ends are not straight or of
/// different width (area = length x width to 2 %), one in several parts, or with an end that touches no other
/// surface
double strip_length(const SurfaceMesh& mesh, int tag, Vec3<double> direction, const std::string& port);

}  // namespace curlew::ie
