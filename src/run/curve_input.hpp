// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A Gmsh physical curve that a table of a config names: read from curves.h5, or taken from a geometry by
// em-mesh.

#include "io/config.hpp"
#include "mesh/curves.hpp"
#include "run/run.hpp"

namespace curlew::run {

/// Reads `file` (.geo, .step, .brep, or what `em-mesh --curves` wrote), `region` (the name of a physical
/// curve; may be missing if there is one only) and `parameters` of a .geo.
/// @param unit word of mesh::metres_per_unit for the numbers in a geometry file
/// @throws InputError with the place in the config
mesh::PhysicalCurve load_curve(const io::Config& table, const std::string& unit, Run& run);

}  // namespace curlew::run
