// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/cores.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/control_group.hpp"
#include "base/threads.hpp"

namespace curlew::linalg {
namespace {

struct Machine {
  std::vector<std::vector<int>> cores;  ///< that each process on it may use
  int rank = 0;                         ///< of this process
};

std::vector<int> numbers_of(const cpu_set_t& set) {
  std::vector<int> numbers;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) numbers.push_back(core);
  return numbers;
}

Machine this_machine() {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  Machine here;
  int count = 1;
  MPI_Comm_size(machine, &count), MPI_Comm_rank(machine, &here.rank);
  cpu_set_t own;
  CPU_ZERO(&own);
  sched_getaffinity(0, sizeof own, &own);
  std::vector<cpu_set_t> sets(static_cast<std::size_t>(count));
  MPI_Allgather(&own, sizeof own, MPI_BYTE, sets.data(), sizeof own, MPI_BYTE, machine);
  MPI_Comm_free(&machine);
  for (const cpu_set_t& set : sets) here.cores.push_back(numbers_of(set));
  return here;
}

}  // namespace

int share_cores() {
  const Machine here = this_machine();
  const int processes = int(here.cores.size());
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return processes;
  // Processes of one run are in one control group and share its quota as well.
  const double most = group_limits().cores / processes;
  const int count = std::max(1, int(std::min(double(core_share(here.cores, std::size_t(here.rank))), most)));
  set_num_threads(count);
  setenv("OMP_NUM_THREADS", std::to_string(count).c_str(), 1);  // the program takes it as decided
  return processes;
}

}  // namespace curlew::linalg
