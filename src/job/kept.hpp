// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions on disk between an interrupted run and --resume.

#include <functional>
#include <optional>

#include "base/process_group.hpp"
#include "job/solution.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::job {

/// As files of kept solutions hold arrays, for keep().
void with_views(const Arrays& solution, const std::function<void(run::SolvedViews&)>& keep);
/// Keeps a solution until the results are in place; nothing if the run has one frequency only.
/// @throws ResourceError if the disk is full
void keep(const run::FrequencySweep& sweep, std::size_t number, const Arrays& solution);

/// Saved arrays found by the first process, sent to all.
std::optional<run::SolvedArrays> find_for_all(const ProcessGroup* processes,
                                              const std::function<std::optional<run::SolvedArrays>()>& find);

/// Fills the arrays with those that FrequencySweep::find read. @returns false if names or sizes differ
bool fill(const run::SolvedArrays& known, const Arrays& solution);

}  // namespace curlew::job
