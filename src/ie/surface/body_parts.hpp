// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which body fills which part of space.

#include <vector>

#include "ie/surface/problem.hpp"

namespace curlew::ie {

/// Numbers of what is no body.
enum : int { vacuum_part = -1, no_field_part = -2 };

/// Bodies of a problem; if it has none, one for each material of its dielectric surfaces.
std::vector<Body> bodies_of(const Problem& problem);

/// A part of space is filled by the body that names all surfaces around it, conductors perhaps left out, and
/// does not also surround it; conductors alone enclose no field, unless a sheet stands in there; all else is
/// vacuum.
/// @return [shells] number of the body, vacuum_part or no_field_part; of shells seen from outside what is
/// around them
/// @throws InputError for a surface inside a conductor, and where two bodies claim one part
std::vector<int> fill_parts(const Problem& problem, const std::vector<Body>& bodies, const Shells& shells);

}  // namespace curlew::ie
