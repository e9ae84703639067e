// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program on the processes of an MPI run: process 0 leads, the others have their share of matrices and
// factors of large systems.

#include <functional>

#include "linalg/direct/mumps.hpp"

namespace curlew::linalg {

/// A program, and steps that its other processes take for process 0 in addition to matrices and factors.
struct ParallelProgram {
  const char* name;  ///< "fem-solve"
  int (*run)(int argc, char** argv);
  std::function<bool(const GroupStep&)> takes{};  ///< false for unknown steps
};

/// Starts MPI and runs the program on process 0. The others run it too, silently and into folders that are
/// removed, until its first system with a distributed matrix, and take the steps of process 0 from there on
/// (mumps.hpp). Threads of each process: OMP_NUM_THREADS, else its share of the machine's cores. @returns
/// exit status of the program on process 0, 0 on the others
int run_on_all_processes(int argc, char** argv, const ParallelProgram& program);

}  // namespace curlew::linalg
