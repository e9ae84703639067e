// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the modes of the ports tell before anything is solved.

#include <optional>
#include <span>

#include "fem/system/maxwell_system.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Modes of all ports at all frequencies, so that cut-offs are refused before the first factorisation. Warns
/// of modes that travel and that S does not have (of hollow rectangles and circles lint does), and of lossy
/// guides, which reflect power waves where they continue matched.
/// @param frequencies [Hz] ascending, as modes are followed upwards
/// @param reference [ohm] as PortNetwork has it
/// @throws as MaxwellSystem::mode_states
void check_modes(const fem::MaxwellSystem& system, std::span<const double> frequencies,
                 std::optional<Complex> reference, run::Run& run);

}  // namespace curlew::programs
