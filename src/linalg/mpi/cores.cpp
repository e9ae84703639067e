// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/cores.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>

#include "base/threads.hpp"

namespace curlew::linalg {
namespace {

int processes_on_this_machine() {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int count = 1;
  MPI_Comm_size(machine, &count);
  MPI_Comm_free(&machine);
  return count;
}

}  // namespace

int share_cores() {
  const int processes = processes_on_this_machine();
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return processes;
  set_num_threads(0);
  const bool bound = num_threads() < int(std::thread::hardware_concurrency());
  const int count = bound ? num_threads() : std::max(1, num_threads() / processes);
  set_num_threads(count);
  setenv("OMP_NUM_THREADS", std::to_string(count).c_str(), 1);  // the program takes it as decided
  return processes;
}

}  // namespace curlew::linalg
