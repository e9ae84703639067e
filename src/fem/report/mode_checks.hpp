// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Checks of the ports' modes before anything is solved.

#include <optional>
#include <span>

#include "fem/system/maxwell_system.hpp"
#include "run/run.hpp"

namespace curlew::fem {

/// Computes the modes of all ports at all frequencies, so that cut-offs are refused before the first
/// factorisation. Warns of propagating modes that are not in S (em-lint does for hollow rectangles and
/// circles), and of lossy guides, whose power waves are reflected even at a matched continuation.
/// @param frequencies [Hz] ascending, as modes are followed upwards
/// @param reference [ohm] as PortNetwork has it
/// @throws as MaxwellSystem::mode_states
void check_modes(const MaxwellSystem& system, std::span<const double> frequencies,
                 std::optional<Complex> reference, run::Run& run);

}  // namespace curlew::fem
