// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One [[port]] table.

#include <optional>

#include "fem/model/model.hpp"
#include "io/config.hpp"

namespace curlew::fem {

/// reference_impedance [ohm] of [output] or a [[port]]: a number or [re, im] with a positive real part.
std::optional<Complex> read_reference_impedance(const io::Config& table);

/// A vector that is not zero.
Vec3<double> read_nonzero_vector(const io::Config& table, const char* key);

/// direction = "x", "-y", "radial" or a vector.
CurrentDirection read_direction(const io::Config& table);

/// Region, excite, amplitude, phase, reference_impedance, and the keys of its type.
/// @throws InputError with file, line and what would be right
/// @param unit of the coordinates [m]
PortModel read_port(const io::Config& table, const mesh::Mesh& mesh, double unit);

}  // namespace curlew::fem
