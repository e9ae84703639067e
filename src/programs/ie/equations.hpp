// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of ie-solve by [formulation] equation: each reads the config, solves every frequency and writes
// the results. @throws InputError with file and line

#include "ie/solved/mixed_potential.hpp"
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

/// Adaptive passes if there are any, then plans, solves, reports and writes every frequency.
/// @param document the config @param mesh the first @throws NumericalError if an iteration does not converge
void solve_frequencies(const io::Config& document, const ie::MixedPotentialConfig& config,
                       const ie::ProblemOn& on, mesh::Mesh mesh, run::Run& run);

}  // namespace curlew::programs
