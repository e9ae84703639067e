// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [physics] type = "helmholtz" in fem-solve and fem-assemble: what these programs do for sound.

#include <optional>

#include "fem/output/system_file.hpp"
#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// [analysis] type = "driven": pressures and velocities over a list of frequencies.
void solve_driven_acoustics(const io::Config& config, run::Run& run);
/// [analysis] type = "eigen": modes.
void solve_acoustic_modes(const io::Config& config, run::Run& run);
/// The system at the first frequency; nothing in a dry run.
std::optional<fem::System> assemble_acoustics(const io::Config& config, run::Run& run);

}  // namespace curlew::programs
