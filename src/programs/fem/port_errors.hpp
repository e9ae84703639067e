// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of S-parameters and input impedances of a driven problem in finite elements.

#include <optional>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "fem/driven/port_network.hpp"
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
};

/// Estimates at one frequency, where S changes fastest between neighbours, or at all solved ones, and states
/// the bars, if the estimate is wanted.
/// @param network S as it is stated @param solved [Hz] where full solutions stand behind it, in any order
void state_port_errors(const PortCheck& check, const fem::PortNetwork& network,
                       const std::vector<double>& solved, results::ErrorReport& report, run::Run& run);

/// Of the points of a network that are in `solved` the one where S changes fastest with frequency.
const fem::NetworkPoint& most_sensitive_point(const fem::PortNetwork& network,
                                              const std::vector<double>& solved);

}  // namespace curlew::programs
