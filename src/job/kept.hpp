// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions on disk between an interrupted run and --resume.

#include <optional>

#include "job/solution.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::job {

/// Keeps a solution until the results are in place; nothing if the run has one frequency only.
/// @throws ResourceError if the disk is full
void keep(const run::FrequencySweep& sweep, std::size_t number, const Solution& solution);

/// What an interrupted run of the same inputs has kept of a frequency [Hz].
std::optional<Solution> find_kept(const run::FrequencySweep& sweep, std::size_t number, double frequency);

}  // namespace curlew::job
