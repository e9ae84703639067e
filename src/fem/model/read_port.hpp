// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One [[port]] table.

#include "fem/model/model.hpp"
#include "io/config.hpp"

namespace curlew::fem {

/// type = "waveguide" with modes, absorbed_modes, mode_solver, impedance, voltage_line, deembed, or "lumped"
/// with resistance and direction; excite.
/// @throws InputError with file, line and what would be right
/// @param unit of the coordinates [m]
PortModel read_port(const io::Config& table, const mesh::Mesh& mesh, double unit);

}  // namespace curlew::fem
