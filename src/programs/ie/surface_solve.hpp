// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The steps from a surface problem to its solution.

#include "programs/ie/surface_output.hpp"

namespace curlew::programs {

/// Where neither method nor acceleration is stated: direct up to a number of unknowns.
void choose_solver(const ie::System& system, SurfaceConfig& config);
/// Waves, dipoles, ports; sets their number and what ports are.
void set_right_hand_sides(const SurfaceConfig& config, SurfaceSolution& solution);
/// Measures the ports as a network and drives each with 1 W while the others are matched.
void drive_ports(const SurfaceConfig& config, SurfaceSolution& solution);

}  // namespace curlew::programs
