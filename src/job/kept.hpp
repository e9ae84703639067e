// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions on disk between an interrupted run and --resume.

#include "job/solution.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::job {

/// Keeps a solution until the results are in place; nothing if the run has one frequency only.
/// @throws ResourceError if the disk is full
void keep(const run::FrequencySweep& sweep, std::size_t number, const Arrays& solution);

/// Fills the arrays with what FrequencySweep::find has found.
/// @returns false where that are others, or of other sizes
bool fill(const run::SolvedArrays& known, const Arrays& solution);

}  // namespace curlew::job
