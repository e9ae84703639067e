// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The steps from a surface problem to its solution.

#include <memory>

#include "linalg/sampling/sampled_solutions.hpp"
#include "programs/ie/surface_output.hpp"

namespace curlew::programs {

/// Chooses the direct solver up to a limit of unknowns if the config states neither method nor acceleration.
void choose_solver(const ie::System& system, SurfaceConfig& config);
/// Right-hand sides that all others are combinations of, where the waves are of one cut and two
/// polarisations; with compression_tolerance = 0 all.
double rank_of(const ie::System& system, const SurfaceConfig& config);
/// Waves, dipoles together, ports.
Index num_right_hand_sides(const SurfaceConfig& config);
/// What ports are on this mesh.
void set_ports(const SurfaceConfig& config, SurfaceSolution& solution);
/// Waves, dipoles, ports; sets their number and what ports are.
void set_right_hand_sides(const SurfaceConfig& config, SurfaceSolution& solution);
/// Measures the ports as a network and drives each with 1 W while the others are matched.
void drive_ports(const SurfaceConfig& config, SurfaceSolution& solution);

/// A solution that is not the run's: of a pass or of an estimate.
struct SolvedSurface {
  std::unique_ptr<const ie::System> system;
  SurfaceSolution solution;
};
/// Without right-hand sides and ports.
SurfaceSolution begin_solution(const SurfaceConfig& config, double frequency, const ie::System& system);
SolvedSurface begin_surface(const mesh::Mesh& mesh, const SurfaceConfig& config, double frequency);
/// Solves without a report; a volt at each port with the others shorted. @param mesh straight
/// @param config that of this frequency [Hz]
/// @throws NumericalError if the iteration does not converge
SolvedSurface solve_surface_by_volts(const mesh::Mesh& mesh, SurfaceConfig config, double frequency);
/// The same with driven ports.
SolvedSurface solve_surface(const mesh::Mesh& mesh, const SurfaceConfig& config, double frequency);

/// Of a solution on another mesh.
SolveCost cost_on(const mesh::Mesh& mesh, SurfaceConfig config, const run::Run& run);

/// Whether an adaptive sweep reaches its tolerance: what iterations leave is noise between the frequencies.
bool can_sample(const SurfaceConfig& config);
/// A solution of volts at ports as an adaptive sweep takes it.
linalg::SampledColumns sampled_columns(SurfaceSolution&& solution);

}  // namespace curlew::programs
