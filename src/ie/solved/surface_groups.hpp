// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Groups of waves of which only cross-sections are requested: assembled, solved and evaluated group by group,
// so that few currents are in memory and none on disk.

#include "ie/report/kept_solutions.hpp"
#include "ie/solved/mirrored_waves.hpp"
#include "ie/solved/surface_solve.hpp"
#include "job/solution.hpp"

namespace curlew::ie {

/// Whether waves may be solved in groups: no output needs all currents at once (output.solution,
/// output.fields, near fields, ports, dipoles), and they are large compared to memory or the config sets
/// solver.expert.group. Waves of low numerical rank are better solved together.
bool can_drop_currents(const SurfaceConfig& config, const System& system);
/// Right-hand sides, and currents of their images, in memory at once.
Index held_at_once(const SurfaceConfig& config, const MirroredWaves& mirrored, const System& system);

/// Solves all waves but those of groups that an earlier run has kept, and those that are images.
/// @param begun without right-hand sides @param advice what to do if an iteration does not converge @throws
/// NumericalError if it does not
WaveResults solve_in_groups(const SurfaceConfig& config, const MirroredWaves& mirrored,
                            const SurfaceSolution& begun, const KeptGroups& kept, const std::string& advice,
                            run::Run& run);

/// @param x [waves, unknowns] @param printed first waves whose cross-sections are computed
WaveResults wave_results(const SurfaceConfig& config, const System& system, const Complex* x,
                         std::size_t printed, Device device);
/// Sizes of that.
WaveResults unsolved_results(const SurfaceConfig& config, std::size_t waves, std::size_t printed);
/// What is kept of it.
job::Arrays arrays_of(WaveResults& results);

}  // namespace curlew::ie
