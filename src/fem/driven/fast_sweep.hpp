// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive sweep of fem-solve.
//
// If A(f) is a sum of a few symmetric terms, T_t times g_t(f), the model is Galerkin's on a few full
// solutions. With V an orthonormal real basis of the fields solved so far, the small system Σ g_t(f) VᵀT_tV
// replaces A(f). The next full solution is taken where the residual, weighted by the size of the field, is
// largest. Source: de la Rubia, Razafison, Maday (2009), IEEE Trans. MTT 57(12), reliable fast frequency
// sweep by a reduced-basis method (here with a sketched residual).
//
// Otherwise (layers whose profile follows the frequency, periodic faces, absorbing boundaries of order 2,
// media that are not reciprocal, ports whose modes change with frequency, separated gradients) S is
// interpolated: fem/driven/rational_sweep.hpp.

#include <vector>

#include "fem/driven/adaptive_sweep.hpp"
#include "fem/driven/driven_problem.hpp"

namespace curlew::fem {

/// @param frequencies [Hz] at least two different ones
/// @throws NumericalError if the tolerance is not reached with max_solutions
FastSweepResult fast_sweep(DrivenProblem& problem, const std::vector<double>& frequencies,
                           const FastSweepOptions& options);

/// The same for one frequency or more, ascending. At the lowest ones, which need the split system, S is
/// interpolated, since the reduced model is that of the plain system; where that misses the tolerance they
/// are solved in full.
FastSweepResult sweep_band(DrivenProblem& problem, const std::vector<double>& frequencies,
                           const FastSweepOptions& options);

}  // namespace curlew::fem
