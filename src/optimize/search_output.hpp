// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output of a search of em-optimize.

#include "optimize/evaluations.hpp"
#include "optimize/search.hpp"

namespace curlew::optimize {

/// steps.csv, steps.h5, goals.csv, tables on the screen and the summary.
void write_search(const Task& task, const SolverRuns& runs, const SearchResult& found, run::Run& run);

}  // namespace curlew::optimize
