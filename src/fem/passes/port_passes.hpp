// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [refinement] of problems with ports.

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "fem/driven/driven_problem.hpp"
#include "fem/error/scattering_error.hpp"
#include "fem/passes/band_passes.hpp"
#include "fem/setup/maxwell_setup.hpp"

namespace curlew::fem {

/// @throws InputError for impedances of ports that are not lumped
void require_dual(const MaxwellSystem& system, mesh::Target target);

/// A problem with ports on the mesh of a pass.
struct PortPass {
  const MaxwellSystem& system;
  const job::Refinement& refinement;
  std::optional<Complex> reference;               ///< [ohm] of S at ports that set none
  std::function<DrivenSolution(double)> solve{};  ///< full solution, with x
  std::function<FastSweepResult(const std::vector<double>&, FastSweepOptions)> sweep{};
  double power = 1;               ///< [W] incident power of x
  std::vector<Index> truncation;  ///< as surplus_errors has it
  /// Dual solutions at a frequency [Hz]; for a reciprocal problem the solutions themselves.
  std::function<Eigen::MatrixXcd(double)> duals = [](double) { return Eigen::MatrixXcd(); };
};

/// Full solutions of a pass over a band by frequency [Hz], and the indices of those with estimates.
struct SolvedBand {
  std::map<double, DrivenSolution> full;
  std::vector<std::size_t> chosen;
};

/// Adds S in the normalisation of the results, or impedances at lumped ports, over the band, with error
/// estimates at chosen frequencies. @param before the previous passes
SolvedBand add_band(const PortPass& of, const std::vector<job::Row>& before, BandPasses& band,
                    mesh::Pass& pass);

/// The mesh of the last pass, its solutions and errors.
struct RefinedPorts {
  mesh::Mesh mesh;
  std::map<double, DrivenSolution> solutions{};  ///< [Hz] full solutions
  /// Errors of S in the normalisation of the results, ascending in frequency, without those of impedances;
  /// empty if [refinement] sets another target or its own frequencies.
  std::vector<ScatteringError> errors{};
};

/// Empty if passes for ports are possible, else why they are not.
std::string obstacle_to_port_passes(const MaxwellSetup& setup);

/// S, or impedances at lumped ports, at the frequencies of [refinement], and the greatest gains at one.
/// @param gains_at [Hz]; empty: there are none
/// @throws InputError for impedances of ports that are not lumped
RefinedPorts refine_for_ports(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                              const DrivenOptions& options, std::optional<double> gains_at, run::Run& run);

}  // namespace curlew::fem
