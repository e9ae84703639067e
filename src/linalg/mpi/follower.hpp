// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program on processes other than 0.

namespace curlew::linalg {

/// Runs `program` with the arguments of the command line, but with a temporary folder for results and without
/// progress output. @param name of that folder, followed by the process's number
/// @returns the exit status of the program
int run_follower(int argc, char** argv, int (*program)(int, char**), const char* name, int rank);

}  // namespace curlew::linalg
