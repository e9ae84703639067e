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

/// What was solved. The references outlive the call.
struct PortCheck {
  const mesh::Mesh& mesh;
  const mesh::Topology& topology;
  const fem::DrivenProblem& problem;
  const fem::DrivenOptions& options;
  std::optional<Complex> reference_impedance;  ///< [ohm] of S, where a port has none of its own
  const std::vector<double>& frequencies;      ///< [Hz] of the sweep, ascending
  const PlannedCheck& planned;
  /// Bars from residuals, ascending in frequency, those between solutions of the elements alone; empty: S is
  /// solved again here.
  const std::vector<fem::ScatteringError>& by_residuals;
  std::string of_what;  ///< words behind them
};

/// How many frequencies are estimated: all where asked for or cheap, else those that cost no more than the
/// run, four at most.
/// @param solutions of the run
std::size_t estimated_frequencies(const PlannedCheck& check, std::size_t frequencies, double solutions,
                                  const results::ErrorReport& report);

/// Estimates where S changes fastest, and states bars at all frequencies, if the estimate is wanted.
/// @param network S as it is stated @param model_error of S between full solutions
/// @param solved [Hz] where these are, in any order
void state_port_errors(const PortCheck& check, const fem::PortNetwork& network, double model_error,
                       const std::vector<double>& solved, results::ErrorReport& report, run::Run& run);

}  // namespace curlew::programs
