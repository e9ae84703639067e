// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The part of ie-solve for [formulation] equation = "efie", "mfie" and "cfie".

#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Reads the config, solves every frequency and writes rcs.csv, farfield.csv, impedance.csv, NAME.sNp,
/// currents.vtkhdf and solution.h5, if they have content.
/// @throws InputError with file and line
void solve_surface_equation(const io::Config& config, run::Run& run);

}  // namespace curlew::programs
