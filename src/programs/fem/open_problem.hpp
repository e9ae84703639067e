// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [excitation] in fem-solve and fem-assemble: currents and plane waves in open space.

#include <optional>

#include "fem/output/system_file.hpp"
#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Solves for all excitations at all frequencies.
void solve_open(const io::Config& config, run::Run& run);
/// The system at the first frequency with all right-hand sides; nothing in a dry run.
std::optional<fem::System> assemble_open(const io::Config& config, run::Run& run);

}  // namespace curlew::programs
