// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ie-solve on the processes of an MPI run.

namespace curlew::ie {

/// Starts MPI, makes its processes the group that shares rows (operator/process_group.hpp), and runs
/// `program` on all of them. Process 0 writes and prints; the others write into temporary folders and print
/// errors only. If one process fails, all end.
/// @returns the exit status of the program
int run_together(int argc, char** argv, int (*program)(int, char**));

}  // namespace curlew::ie
