// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [tolerance_analysis]: effect of production tolerances of the variables on the goals.

#include "optimize/evaluations.hpp"

namespace curlew::optimize {

/// tolerance.csv, a table and the summary: by the linear model at many random points, and by runs of the
/// solver at some of them.
/// @param x nominal values @param response at x, with all derivatives
void write_tolerances(const Task& task, SolverRuns& runs, const std::vector<double>& x,
                      const Response& response, run::Run& run);

}  // namespace curlew::optimize
