// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program on the processes of an MPI run: the first process runs it, the others take their share of the
// factors of its large systems.

namespace curlew::linalg {

/// Starts MPI, runs `program` on process 0 and serves its calls of MUMPS on the others.
/// Threads of each process: OMP_NUM_THREADS, else its share of the machine's cores.
/// @returns the exit status: the program's on process 0, 0 on the others
int run_on_all_processes(int argc, char** argv, int (*program)(int, char**));

}  // namespace curlew::linalg
