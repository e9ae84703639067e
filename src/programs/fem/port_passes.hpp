// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [refinement] of problems with ports.

#include <map>
#include <optional>

#include "fem/driven/driven_problem.hpp"
#include "fem/error/scattering_error.hpp"
#include "programs/refinement.hpp"

namespace curlew::programs {

/// @throws InputError for models that are not reciprocal, and for impedances of ports that are not lumped
void require_dual(const fem::MaxwellSystem& system, Target target);

/// Adds S at one frequency as results state it, or impedances at lumped ports, without an estimate.
/// @param reference [ohm] of S, where a port has none of its own
/// @param last values of the pass before, may be empty
void add_values(const fem::MaxwellSystem& system, const fem::DrivenSolution& solution,
                std::optional<Complex> reference, Target target, const std::vector<Complex>& last,
                Pass& pass);

/// Estimates of the quantities that add_values has added, and what they come from.
/// @param solution S and x at a frequency @param power [W] that x has incident
/// @param quantities the first of them @param truncation, duals as surplus_errors has them
void add_estimates(const fem::MaxwellSystem& system, const fem::DrivenSolution& solution, double power,
                   std::optional<Complex> reference, Target target, Pass::Quantity* quantities, Pass& pass,
                   const std::vector<Index>& truncation = {}, const Eigen::MatrixXcd& duals = {});

/// The mesh of the last pass, and what it knows.
struct RefinedPorts {
  mesh::Mesh mesh;
  std::map<double, fem::DrivenSolution> solutions{};  ///< [Hz] in full
  /// Of S as results state it, ascending, without bars of impedances and facets; empty: [refinement]
  /// states another target or frequencies of its own.
  std::vector<fem::ScatteringError> errors{};
};

/// S, or impedances at lumped ports, at the frequencies of [refinement].
/// @throws InputError for models whose dual problem is not solved with them, and for impedances of ports that
/// are not lumped
RefinedPorts refine_for_ports(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
                              const fem::DrivenOptions& options, run::Run& run);

}  // namespace curlew::programs
