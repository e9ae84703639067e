// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Assigns bodies to the parts of space.

#include <vector>

#include "ie/surface/problem.hpp"

namespace curlew::ie {

/// Values for parts without a body.
enum : int { vacuum_part = -1, no_field_part = -2 };

/// Bodies of a problem; if it has none, one for each material of its dielectric surfaces.
std::vector<Body> bodies_of(const Problem& problem);

/// A part of space is filled by the body that names all surfaces around it (conductors optional) and is not
/// itself inside that part; parts bounded by conductors only have no field, unless they contain a sheet; all
/// others are vacuum.
/// @return [shells] number of the body, vacuum_part or no_field_part; for shells seen from outside the part
/// around them
/// @throws InputError for a surface inside a conductor, and where two bodies claim one part
std::vector<int> fill_parts(const Problem& problem, const std::vector<Body>& bodies, const Shells& shells);

}  // namespace curlew::ie
