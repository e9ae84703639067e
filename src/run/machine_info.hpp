// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Description of the machine for reports of faults: --machine.

#include <string>

namespace curlew::run {

/// "model name" of the first processor; "unknown" if the system does not provide it.
std::string cpu_model();

/// Lines "what: value": version and build, system, processor, memory, GPU, variables of the environment that
/// change the speed, and the files of the shared libraries that the program has loaded, whose names contain
/// their versions.
std::string machine_info(const std::string& program);

}  // namespace curlew::run
