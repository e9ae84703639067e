// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a report of a fault needs to know of the machine: --machine.

#include <string>

namespace curlew::run {

/// "model name" of the first processor; "unknown" where the system does not tell.
std::string cpu_model();

/// Lines "what: value": version and build, system, processor, memory, GPU, variables of the environment that
/// change the speed, and the files of the shared libraries that the program has loaded, whose names hold
/// their versions.
std::string machine_info(const std::string& program);

}  // namespace curlew::run
