// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Values of goals, and their derivatives, from the folder of results of a solver.

#include <string>
#include <vector>

#include "optimize/model_step.hpp"
#include "programs/optimize/task.hpp"

namespace curlew::programs {

/// Values of all samples; derivatives by the share of each variable's range where the solver gave them for
/// all variables, else 0 and not exact.
/// @throws InputError for a goal that the results say nothing of, with its place in the config
optimize::Response read_response(const Task& task, const std::string& folder);

/// The files that a run depended on, as its summary names them.
/// @throws InputError if there is none
std::vector<std::string> files_read(const std::string& folder);

/// What a run took [bytes]; 0 where its summary does not say.
std::size_t memory_of_run(const std::string& folder);

}  // namespace curlew::programs
