// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What fem-solve and fem-assemble do by the media and [analysis].

#include <optional>

#include "fem/output/system_file.hpp"
#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// [[port]]: S-parameters and fields. Solves for all modes of all ports (and what an [excitation] delivers to
/// them) at all frequencies.
void solve_driven(const io::Config& config, run::Run& run);
/// The modes of the ports alone: ports.csv. @throws as solve_driven
void solve_ports(const io::Config& config, run::Run& run);

/// [excitation]: currents and plane waves in open space, all at all frequencies.
void solve_open(const io::Config& config, run::Run& run);
/// The system at the first frequency with all right-hand sides; nothing in a dry run.
std::optional<fem::System> assemble_open(const io::Config& config, run::Run& run);

/// [analysis] type = "eigen": frequencies, Q, energy shares and fields of the modes of cavities and unit
/// cells nearest to a target, or of the lowest.
void solve_cavity_modes(const io::Config& config, run::Run& run);

/// Sound, driven: pressures and velocities over a list of frequencies.
void solve_driven_acoustics(const io::Config& config, run::Run& run);
/// The same, modes.
void solve_acoustic_modes(const io::Config& config, run::Run& run);
/// The system at the first frequency; nothing in a dry run.
std::optional<fem::System> assemble_acoustics(const io::Config& config, run::Run& run);

}  // namespace curlew::programs
