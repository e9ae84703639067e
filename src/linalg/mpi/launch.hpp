// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program on the processes of an MPI run.

#include <functional>

#include "base/process_group.hpp"

namespace curlew::linalg {

/// led: the program runs to its end on process 0; the others run it up to its first system with a distributed
/// matrix, and take the steps of process 0 from there on (mumps.hpp). equal: it runs to its end on all.
enum class Design { led, equal };

struct ParallelProgram {
  const char* name;  ///< "fem-solve"
  int (*run)(int argc, char** argv, const ProcessGroup* processes);
  Design design;
  /// led: takes further steps of the program; false for unknown ones
  std::function<bool(const ProcessGroup&, const GroupStep&)> takes{};
};

/// Starts MPI and runs the program on all processes, which are ended together if only some fail. Threads of
/// each process: OMP_NUM_THREADS, else its share of the machine's cores. @returns exit status of the program
/// on process 0; other processes return that of their own run
int run_on_all_processes(int argc, char** argv, const ParallelProgram& program);

}  // namespace curlew::linalg
