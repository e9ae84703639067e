// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The steps from a surface problem to its solution.

#include <memory>
#include <optional>
#include <string>

#include "ie/model/surface_config.hpp"
#include "ie/report/wave_output.hpp"
#include "ie/sources/dipole_sources.hpp"
#include "ie/sources/port_network.hpp"
#include "ie/surface/near_series.hpp"
#include "linalg/sampling/sampled_solutions.hpp"
#include "results/combined.hpp"

namespace curlew::ie {

/// One frequency: the system, its right-hand sides in the order waves, dipoles (one), ports, and their
/// solutions; for ports those for 1 W incident with the others matched, then their sum by [[port]] amplitude.
struct SurfaceSolution {
  SurfaceSolution(double f, std::shared_ptr<const System> on)
      : frequency(f), owner(std::move(on)), system(*owner) {}

  double frequency;
  std::shared_ptr<const System> owner;
  const System& system;
  std::optional<DipoleSources> dipoles{};
  std::vector<PortWeights> ports{};
  double reference = 50;     ///< [ohm] of the ports
  std::vector<Complex> x{};  ///< [count, unknowns]
  Index count = 0;
  bool has_combined = false;             ///< after the ports all of them at once
  std::vector<Complex> duals{};          ///< of the waves that derivatives need
  std::vector<Complex> volts{};          ///< [ports, unknowns] by a volt each, the others shorted
  SolveReport report{};                  ///< of solve_surface
  std::optional<WaveResults> results{};  ///< in place of all currents, where nothing else is wanted

  std::size_t unknowns() const { return std::size_t(system.num_unknowns()); }
  std::size_t first_port() const { return std::size_t(count) - ports.size() - (has_combined ? 1 : 0); }
  const Complex* of(std::size_t rhs) const { return &x[rhs * unknowns()]; }
  PortNetwork network() const { return port_network(ports, volts.data(), system.num_unknowns(), reference); }
};

/// The ports of a config driven at once.
results::CombinedExcitation combined_excitation(const SurfaceConfig& config);
/// What a right-hand side from the first port on is called: the port, or all at once.
std::string source_name(const SurfaceConfig& config, const SurfaceSolution& solution, std::size_t rhs);

/// Chooses the direct solver up to a limit of unknowns if the config states neither method nor acceleration.
void choose_solver(const System& system, SurfaceConfig& config);
/// Numerical rank of the right-hand sides if the waves lie in one cut with two polarisations; with
/// compression_tolerance = 0 all.
double rank_of(const System& system, const SurfaceConfig& config);
/// Number of right-hand sides: waves, one for all dipoles, ports.
Index num_right_hand_sides(const SurfaceConfig& config);

/// Without right-hand sides. @param known ports of the same mesh at another frequency, or empty
SurfaceSolution begin_surface(const SurfaceConfig& config, double frequency,
                              std::shared_ptr<const System> system,
                              const std::vector<PortWeights>& known = {});
/// Waves, dipoles, ports, and their number.
void set_right_hand_sides(const SurfaceConfig& config, SurfaceSolution& solution);
/// Converts the solutions, 1 V at each port with the others shorted, to ports of 1 W with the others
/// matched.
/// @param config without the waves that derivatives need; solutions after its own are stored separately
void drive_ports(const SurfaceConfig& config, SurfaceSolution& solution);
/// Sizes of the solutions after drive_ports.
void size_columns(const SurfaceConfig& config, SurfaceSolution& solution);
/// On a mesh that is not the run's, of a pass or of an estimate: without a report. @param near or null
/// @throws NumericalError if the iteration does not converge
SurfaceSolution solve_surface(const SurfaceProblems& problems, const SurfaceConfig& config, double frequency,
                              const NearSeries* near = nullptr);
/// Cost of solve_surface.
SolveCost cost_on(const SurfaceProblems& problems, SurfaceConfig config, const run::Run& run);

/// Full solutions of a sweep; for an adaptive one as many as most bands take.
double expected_solutions(const SurfaceConfig& config);
/// Memory of the integrals of near pairs of all frequencies, for sweeps that store matrices: if it is small
/// or much less than that of a matrix; else 0. @param highest system, with the greatest wavenumbers
std::size_t near_series_bytes(const SurfaceConfig& config, const System& highest);

/// Whether an adaptive sweep can reach its tolerance, given the errors that iterative solutions leave.
bool can_sample(const SurfaceConfig& config);
/// Converts a solution to columns of an adaptive sweep, and back.
linalg::SampledColumns columns_of(const SurfaceSolution& solution);
void take_columns(const SurfaceConfig& config, std::vector<Complex> columns, SurfaceSolution& solution);
/// S of the currents of ports. @param ports of the last full solution; outlive what is returned
linalg::SampledSolutions::Observed scattering_of(const std::vector<PortWeights>& ports, double reference);

}  // namespace curlew::ie
