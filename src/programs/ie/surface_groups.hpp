// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Groups of waves of which only cross-sections are requested: assembled, solved and evaluated group by group,
// so that few currents are in memory and none on disk.

#include "programs/ie/kept_solutions.hpp"
#include "programs/ie/mirrored_waves.hpp"
#include "programs/ie/surface_output.hpp"

namespace curlew::programs {

/// Whether waves may be solved in groups: no output needs all currents at once (output.solution,
/// output.fields, near fields, ports, dipoles), and they are large compared to memory or the config sets
/// solver.expert.group. Waves of low numerical rank are better solved together.
bool can_drop_currents(const SurfaceConfig& config, const ie::System& system);
/// Right-hand sides, and currents of their images, in memory at once.
Index held_at_once(const SurfaceConfig& config, const MirroredWaves& mirrored, const ie::System& system);

/// Solves all waves except those of groups saved by an earlier run, and mirror images.
/// @param advice what to do if an iteration does not converge @throws NumericalError if it does not
WaveResults solve_in_groups(const SurfaceConfig& config, const MirroredWaves& mirrored,
                            const ie::System& system, double frequency, const KeptGroups& kept,
                            SurfaceFiles& files, const std::string& advice, run::Run& run);

/// For run::FrequencySweep.
run::SolvedArrays arrays_of(const WaveResults& results);
/// @returns empty if the arrays are not such results
std::optional<WaveResults> results_in(const run::SolvedArrays& arrays, std::size_t waves);

}  // namespace curlew::programs
