// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[port]] in fem-solve: S-parameters and fields over a sweep of frequencies.

#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Solves for all modes of all ports (and what an [excitation] delivers to them) at all frequencies.
void solve_driven(const io::Config& config, run::Run& run);

}  // namespace curlew::programs
