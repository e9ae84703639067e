// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Another program of the suite as a child process.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace curlew::run {

/// The program of a name beside the running one; empty if there is none.
std::string find_program(const std::string& name);

/// Starts a program that ends with this process, whatever ends it.
/// @param arguments with the name first @param errors receives its standard error; -1: that of this process
/// @throws ResourceError if no process can be started
pid_t fork_program(const std::string& path, const std::vector<std::string>& arguments, int errors = -1);

/// Whether a child outlives a parent that is killed. The one that does not is forked, which copies the
/// memory map of this process: for small ones.
enum class Bond { loose, tight };

/// Runs a program to its end. Lines of its standard error go to the log at debug level, its standard output
/// nowhere. Ctrl-C and SIGTERM end it. May be called in several threads.
/// @param name "em-mesh", the beginning of its lines
/// @throws InputError, NumericalError or ResourceError by its exit status, with its last line without the
/// leading "NAME: "; Interrupted
/// @param environment "NAME=VALUE" of a program that is loosely bound, if not that of this process
void run_program(const std::string& name, const std::string& path, const std::vector<std::string>& arguments,
                 Bond bond = Bond::loose,
                 const std::optional<std::vector<std::string>>& environment = std::nullopt);

}  // namespace curlew::run
