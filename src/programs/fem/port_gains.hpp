// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of the greatest gains of ports (fem/passes/port_gains.hpp).

#include "fem/adaptive/surplus.hpp"
#include "programs/fem/driven_job.hpp"

namespace curlew::programs {

/// Solves for one wave of each excited mode. @param solution with x
/// @returns the changes that bars come from, first those of the modes
fem::SurplusErrors add_gain_bars(DrivenJob& job, const fem::DrivenSolution& solution,
                                 results::ErrorReport& report);

}  // namespace curlew::programs
