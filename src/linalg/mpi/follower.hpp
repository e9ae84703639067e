// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program on a process that does not lead.

namespace curlew::linalg {

/// Runs `program` with the words of the command line, but with a folder of its own for results, which is
/// removed, and no word of progress.
/// @param name of that folder, of which others may be told apart by the process's number
/// @returns the exit status of the program
int run_follower(int argc, char** argv, int (*program)(int, char**), const char* name, int rank);

}  // namespace curlew::linalg
