// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Predicted run time, for --dry-run.

#include <string>

#include "run/run.hpp"

namespace curlew::run {

/// Reports the seconds that a stage will take for all frequencies; those of one name are summed. A dry run
/// prints them with the measured times of mesh and analysis.
void plan_seconds(Run& run, const std::string& stage, double seconds);

}  // namespace curlew::run
