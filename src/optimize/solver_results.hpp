// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Values of goals, and their derivatives, from the folder of results of a solver.

#include <string>
#include <vector>

#include "optimize/model_step.hpp"
#include "optimize/task.hpp"

namespace curlew::optimize {

/// Values of all samples; derivatives by the variables as fractions of their ranges if the solver gave all of
/// them, else 0 and marked as not exact. @throws InputError for a goal without result, with its place in the
/// config
Response read_response(const Task& task, const std::string& folder);

/// The input files that the summary of a run names. @throws InputError if there is no summary
std::vector<std::string> files_read(const std::string& folder);

/// Its warnings. @throws InputError if there is no summary
std::vector<std::string> warnings_of(const std::string& folder);

/// Memory that a run took [bytes]; 0 if its summary does not have it.
std::size_t memory_of_run(const std::string& folder);

}  // namespace curlew::optimize
