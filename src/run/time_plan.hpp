// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The seconds that a run will take, as --dry-run states them.

#include <string>

#include "run/run.hpp"

namespace curlew::run {

/// States the seconds that a stage will take, all frequencies together; several of one name add up. Printed
/// by a dry run beside what mesh and analysis took.
void plan_seconds(Run& run, const std::string& stage, double seconds);

}  // namespace curlew::run
