// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The steps from a surface problem to its solution.

#include <memory>

#include "linalg/sampling/sampled_solutions.hpp"
#include "programs/ie/surface_output.hpp"

namespace curlew::programs {

/// Chooses the direct solver up to a limit of unknowns if the config sets neither method nor acceleration.
void choose_solver(const ie::System& system, SurfaceConfig& config);
/// Numerical rank of the right-hand sides if the waves lie in one cut with two polarisations; with
/// compression_tolerance = 0 all.
double rank_of(const ie::System& system, const SurfaceConfig& config);
/// Number of right-hand sides: waves, one for all dipoles, ports.
Index num_right_hand_sides(const SurfaceConfig& config);
/// Sets the ports on this mesh.
void set_ports(const SurfaceConfig& config, SurfaceSolution& solution);
/// Sets the right-hand sides (waves, dipoles, ports), their number and the ports.
void set_right_hand_sides(const SurfaceConfig& config, SurfaceSolution& solution);
/// Computes the network of the ports and drives each with 1 W while the others are matched.
void drive_ports(const SurfaceConfig& config, SurfaceSolution& solution);

/// A solution of an adaptive pass or an error estimate, not the run's own.
struct SolvedSurface {
  std::unique_ptr<const ie::System> system;
  SurfaceSolution solution;
};
/// Without right-hand sides and ports.
SurfaceSolution begin_solution(const SurfaceConfig& config, double frequency, const ie::System& system);
SolvedSurface begin_surface(const mesh::Mesh& mesh, const SurfaceConfig& config, double frequency);
/// Solves without a report; 1 V at each port with the others shorted. @param mesh straight @param config at
/// this frequency [Hz]
/// @throws NumericalError if the iteration does not converge
SolvedSurface solve_surface_by_volts(const mesh::Mesh& mesh, SurfaceConfig config, double frequency);
/// The same with driven ports.
SolvedSurface solve_surface(const mesh::Mesh& mesh, const SurfaceConfig& config, double frequency);

/// Cost of a solution on another mesh.
SolveCost cost_on(const mesh::Mesh& mesh, SurfaceConfig config, const run::Run& run);

/// Whether an adaptive sweep can reach its tolerance, given the errors that iterative solutions leave.
bool can_sample(const SurfaceConfig& config);
/// A solution with 1 V at each port, in the form that an adaptive sweep takes.
linalg::SampledColumns sampled_columns(SurfaceSolution&& solution);

}  // namespace curlew::programs
