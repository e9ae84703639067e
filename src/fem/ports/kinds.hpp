// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Readers of the kinds of ports. A new one: its kind, its port and its reader in a separate file, its reader
// declared here, a line in the list of kinds.cpp, its keys in src/io/schema/port.cpp.

#include "fem/model/model.hpp"

namespace curlew::fem {

/// modes, absorbed_modes, impedance, voltage_line, polarization and deembed.
void read_waveguide_port(const io::Config& table, double unit, PortModel& port);
/// resistance, direction, and the elements between terminals and gap.
void read_lumped_port(const io::Config& table, double unit, PortModel& port);
/// modes, absorbed_modes and deembed.
void read_floquet_port(const io::Config& table, double unit, PortModel& port);

}  // namespace curlew::fem
