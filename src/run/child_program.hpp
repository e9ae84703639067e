// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Another program of the suite as a child process.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace curlew::run {

/// Path of a program in the folder of the running one; empty if there is none.
std::string find_program(const std::string& name);

/// Starts a program that is killed when this process ends for any reason.
/// @param arguments with the name first @param errors receives its standard error; -1: that of this process
/// @throws ResourceError if no process can be started
pid_t fork_program(const std::string& path, const std::vector<std::string>& arguments, int errors = -1);

/// loose: the child outlives a killed parent. tight: it does not; it is forked, which copies the memory map,
/// so only for small parents.
enum class Bond { loose, tight };

/// Runs a program to its end. Lines of its standard error go to the log at debug level, its standard output
/// is discarded. Ctrl-C and SIGTERM end it. Thread-safe.
/// @param name "em-mesh", the beginning of its lines
/// @throws InputError, NumericalError or ResourceError by its exit status, with its last line without the
/// leading "NAME: "; Interrupted
/// @param environment "NAME=VALUE" of the program, for Bond::loose only; not given: that of this process
void run_program(const std::string& name, const std::string& path, const std::vector<std::string>& arguments,
                 Bond bond = Bond::loose,
                 const std::optional<std::vector<std::string>>& environment = std::nullopt);

}  // namespace curlew::run
