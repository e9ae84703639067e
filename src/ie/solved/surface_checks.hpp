// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What makes results of the surface equations wrong without any sign of it in the solution.

#include "ie/surface/system.hpp"
#include "run/run.hpp"

namespace curlew::ie {

bool has_dielectrics(const Problem& problem);

/// @param is_refined by [refinement], whose estimate has more to say
/// @throws InputError where fields decay within an edge
void check_resolution(const Problem& problem, const Scene& scene, bool is_refined, run::Run& run);

/// EFIE and MFIE of a closed conductor have false solutions at the resonances of its interior, which neither
/// their residual nor their balance of powers shows.
void warn_of_resonances(const System& highest, bool has_ports, run::Run& run);

/// True if rounding errors of the equations of dielectrics spoil cross-sections.
bool is_too_low(const System& system);

/// The equations of dielectrics lose digits as the square of the frequency, in fill and solution, whatever
/// the solver: a body of 0.9 m is 5 % off at 10 kHz.
void warn_of_low_frequency(const System& lowest, run::Run& run);

}  // namespace curlew::ie
