// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive fast frequency sweep: a Galerkin model on a few full solutions gives S at as many frequencies as
// asked.
//
// With V an orthonormal real basis of the fields solved so far, the small system Σ g_t(f) VᵀT_tV replaces
// A(f). The next full solution is taken where the residual, weighted by the size of the field, is largest; it
// also measures the model's true error there, before it joins the basis. Source: de la Rubia, Razafison,
// Maday (2009), IEEE Trans. MTT 57(12), reliable fast frequency sweep by a reduced-basis method (here with a
// sketched residual).

#include <functional>
#include <vector>

#include "fem/driven/driven_problem.hpp"

namespace curlew::fem {

struct FastSweepOptions {
  double tolerance = 1e-3;  ///< largest |error| of an S-parameter, > 0
  int max_solutions = 40;   ///< full solutions at most
  std::function<void(const DrivenSolution&)>
      on_solution;  ///< called with every full solution, fields included
};

struct FastSweepResult {
  std::vector<DrivenSolution> solutions;  ///< one per frequency asked; x is empty
  std::vector<double> solved;             ///< [Hz] where full solutions were taken
  double error_estimate = 0;  ///< largest |error| of S seen at the last full solutions or indicated
  bool converged = false;
};

/// @throws InputError for what the reduced model does not know: materials that are not reciprocal, periodic
/// faces, absorbing boundaries of order 2, ports whose modes change with frequency
void require_fast_sweep(const DrivenProblem& problem);

/// @param frequencies [Hz] at least two different ones
/// @throws NumericalError if the tolerance is not reached with max_solutions
FastSweepResult fast_sweep(DrivenProblem& problem, const std::vector<double>& frequencies,
                           const FastSweepOptions& options);

}  // namespace curlew::fem
