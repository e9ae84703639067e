// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of the greatest gains of ports, from the residuals of a solution and of waves that arrive from
// the directions of these gains: by reciprocity their dual problems (open_job.hpp).

#include "fem/adaptive/surplus.hpp"
#include "programs/fem/driven_job.hpp"

namespace curlew::programs {

/// Whether the case may have such bars: a far field of the whole structure, elements of order 1 or 2.
bool has_gain_bars(const DrivenCase& c);
/// Solves for one wave of each excited mode. @param solution with x
/// @returns the changes that bars come from, first those of the modes
fem::SurplusErrors add_gain_bars(DrivenJob& job, const fem::DrivenSolution& solution,
                                 results::ErrorReport& report, run::Run& run);

}  // namespace curlew::programs
