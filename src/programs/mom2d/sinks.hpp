// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results that a run of mom2d writes and prints.

#include "job/job.hpp"
#include "programs/mom2d/errors.hpp"

namespace curlew::programs {

/// Writers of files, tables and error bars, in the order in which they close. @note all arguments must
/// outlive them
job::Sinks<mom2d::Solution> mom2d_sinks(const Mom2dCase& c, const ContourBars& passes, run::Run& run);

}  // namespace curlew::programs
