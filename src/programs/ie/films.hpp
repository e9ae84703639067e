// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The part of ie-solve for [formulation] equation = "film".

#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Reads the config, solves every frequency and writes rcs.csv, currents.vtkhdf and solution.h5.
/// @throws InputError with file and line
void solve_film_equation(const io::Config& config, run::Run& run);

}  // namespace curlew::programs
