// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// analysis.type = "eigen" in fem-solve: modes of cavities and unit cells.

#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Frequencies, Q, energy shares and fields of the modes nearest to a target, or of the lowest.
void solve_cavity_modes(const io::Config& config, run::Run& run);

}  // namespace curlew::programs
