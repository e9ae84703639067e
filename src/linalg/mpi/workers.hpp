// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program on the processes of an MPI run: the first process leads it, the others take their share of the
// matrices and factors of its large systems.

namespace curlew::linalg {

/// Starts MPI and runs `program` on process 0. The others run it too, silently and into folders that are
/// removed, until its first system with a spread matrix, and take the steps of process 0 from there on
/// (mumps.hpp). Threads of each process: OMP_NUM_THREADS, else its share of the machine's cores.
/// @returns the exit status: the program's on process 0, 0 on the others
int run_on_all_processes(int argc, char** argv, int (*program)(int, char**));

}  // namespace curlew::linalg
