// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Units in which geometry files are drawn.

#include <string>

namespace curlew::mesh {

/// Metres in one unit: m, cm, mm, um, nm, km, inch (in), ft, mil.
/// @throws InputError for another word, with the list of those known
double metres_per_unit(const std::string& unit);

/// Words of metres_per_unit, for help texts.
extern const char* const length_units;

}  // namespace curlew::mesh
