// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[sensitivity]] of fe-iiee: S and impedances of ports, cross-sections of waves.
//
// The coupled system of the iteration is not symmetric, but the field inside S is also that of the exact
// condition on S, which is: xᵀ A' x of the finite elements alone differentiates, with the solutions that
// stand. Derivatives are then as exact as results. S is where the mesh ends and no part of the problem: it
// stays.

#include "programs/fe_iiee/solver.hpp"
#include "programs/fem/sensitivities.hpp"

namespace curlew::fe_iiee {

/// Sets the waves that are solved for beside those of the config.
/// @throws InputError for too many
void add_dual_waves(Setup& setup);

class TruncatedSensitivities {
 public:
  /// @param setup, run outlive this
  /// @throws InputError for numbers without derivatives
  TruncatedSensitivities(const io::Config& config, const Setup& setup, const TruncatedProblem& problem,
                         run::Run& run);
  void add(double frequency, const TruncatedProblem& problem, const Solved& solved);
  void close() { sensitivities_.close(); }

 private:
  void add_ports(const TruncatedProblem& problem, const Solved& solved);
  void add_sections(double frequency, const TruncatedProblem& problem, const Solved& solved);

  const Setup& setup_;
  run::Run& run_;
  programs::Sensitivities sensitivities_;
};

}  // namespace curlew::fe_iiee
