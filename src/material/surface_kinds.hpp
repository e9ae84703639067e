// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The kinds of surface laws. A new one: its class and reader in a separate file, its reader declared here, a
// line in the list of surface_law.cpp.

#include <string>
#include <vector>

#include "material/surface_law.hpp"

namespace curlew::material {

/// The values of [[boundary]] type.
std::vector<std::string> surface_law_types();

/// critical_temperature and temperature [K], london_depth at 0 K [m], conductivity at the critical
/// temperature [S/m], 0 if not given; thickness [m] of a layer; without it a wall.
SurfaceLawPtr read_superconductor(const io::Config& table);

/// A wall from a table: a CSV file with columns frequency_hz, impedance_re and impedance_im [ohm].
/// @throws InputError for a negative real part or zero
SurfaceLawPtr read_tabulated(const io::Config& table);

}  // namespace curlew::material
