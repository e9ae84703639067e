// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// em-mesh as a child process: the solvers do not link Gmsh.

#include <string>
#include <vector>

namespace curlew::run {

/// Path of em-mesh in the folder of the running program; empty if there is none.
std::string find_mesh_converter();

/// Runs a program to its end. Lines of its standard error go to the log at debug level, its standard output
/// is discarded. Ctrl-C and SIGTERM end it. It gets few variables of the environment.
/// @throws InputError, NumericalError or ResourceError by its exit status, with its last line without the
/// leading
///         "em-mesh: "; Interrupted
void run_mesh_converter(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace curlew::run
