// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One [[port]] table.

#include <optional>

#include "fem/model/model.hpp"
#include "io/config.hpp"

namespace curlew::fem {

/// reference_impedance [ohm] of [output] or a [[port]]: a number or [re, im] with a positive real part.
std::optional<Complex> read_reference_impedance(const io::Config& table);

/// direction = "x", "-y", "radial" or a vector.
CurrentDirection read_direction(const io::Config& table);

/// type = "waveguide" with modes, absorbed_modes, mode_solver, impedance, voltage_line, polarization,
/// deembed, or "lumped" with resistance and direction; excite and reference_impedance.
/// @throws InputError with file, line and what would be right
/// @param unit of the coordinates [m]
PortModel read_port(const io::Config& table, const mesh::Mesh& mesh, double unit);

}  // namespace curlew::fem
