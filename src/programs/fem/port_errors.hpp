// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of S-parameters and input impedances of a driven problem in finite elements.

#include <optional>
#include <string>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "fem/driven/port_network.hpp"
#include "fem/error/scattering_error.hpp"
#include "programs/fem/planned_check.hpp"

namespace curlew::programs {

/// The solved problem. The references outlive the call.
struct PortCheck {
  const mesh::Mesh& mesh;
  const mesh::Topology& topology;
  const fem::DrivenProblem& problem;
  const fem::DrivenOptions& options;
  std::optional<Complex> reference_impedance;  ///< [ohm] of S at ports that set none
  const std::vector<double>& frequencies;      ///< [Hz] of the sweep, ascending
  const PlannedCheck& planned;
  /// Error bars from residuals, ascending in frequency; between full solutions those of the discretisation
  /// only. Empty: estimated here by a second solution.
  const std::vector<fem::ScatteringError>& by_residuals;
  std::string of_what;  ///< words that follow in messages
};

/// Number of frequencies with an estimate: all if requested or cheap, else as many as cost no more than the
/// run, at most four.
/// @param solutions of the run
std::size_t estimated_frequencies(const PlannedCheck& check, std::size_t frequencies, double solutions,
                                  const results::ErrorReport& report);

/// If the estimate is wanted: estimates errors where S changes fastest, and reports bars at all frequencies.
/// @param network the reported S @param model_error of S between full solutions
/// @param solved [Hz] where these are, in any order
void state_port_errors(const PortCheck& check, const fem::PortNetwork& network, double model_error,
                       const std::vector<double>& solved, results::ErrorReport& report, run::Run& run);

}  // namespace curlew::programs
