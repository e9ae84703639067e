// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of ie-solve by [formulation] equation: each reads the config, solves every frequency and writes
// the results. @throws InputError with file and line

#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// "efie", "mfie", "cfie" and "auto": rcs.csv, farfield.csv, impedance.csv, NAME.sNp, currents.vtkhdf and
/// solution.h5.
void solve_surface_equation(const io::Config& config, run::Run& run);
/// "volume": rcs.csv, fields.vtkhdf and solution.h5.
void solve_volume_equation(const io::Config& config, run::Run& run);
/// "film": rcs.csv, currents.vtkhdf and solution.h5.
void solve_film_equation(const io::Config& config, run::Run& run);

}  // namespace curlew::programs
