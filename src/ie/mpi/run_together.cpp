// SPDX-License-Identifier: BSD-3-Clause
#include "ie/mpi/run_together.hpp"

#include <mpi.h>

#include <chrono>
#include <thread>

#include "base/error.hpp"
#include "base/first_process.hpp"
#include "base/log.hpp"
#include "base/restart.hpp"
#include "ie/operator/process_group.hpp"
#include "linalg/direct/mumps.hpp"
#include "linalg/mpi/cores.hpp"
#include "linalg/mpi/follower.hpp"
#include "linalg/mpi/mpi_group.hpp"

namespace curlew::ie {
namespace {

using namespace std::chrono_literals;
constexpr auto for_ever = std::chrono::milliseconds::max();

/// Waits for all processes. @returns whether they arrived in time
bool meet(std::chrono::milliseconds at_most) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (auto waited = 0ms; waited < at_most; waited += 10ms) {
    int arrived = 0;
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    if (arrived != 0) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

/// Input and results are the same for all, but memory and disk may differ. All processes end a part together,
/// except for the time in which process 0 writes.
void meet_behind_part(int status) {
  const bool may_be_alone = status == exit_resource || (status != 0 && process_group()->rank() == 0);
  if (meet(may_be_alone ? 20s : for_ever)) return;
  log::error("an error on one process ends all of them");
  MPI_Abort(MPI_COMM_WORLD, status);
}

}  // namespace

int run_together(int argc, char** argv, int (*program)(int, char**)) {
  restart_with_right_settings(argv);
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  const linalg::MpiGroup group;
  process_group() = &group;
  first_process_decides = [](bool own) {
    process_group()->broadcast(&own, sizeof own);
    return own;
  };
  processes_meet = meet_behind_part;
  linalg::share_cores();
  linalg::mumps_group().own_communicator = MPI_Comm_c2f(MPI_COMM_SELF);  // factors are each process's own
  const int status = group.rank() == 0 ? program(argc, argv)
                                       : linalg::run_follower(argc, argv, program, "ie-solve", group.rank());
  // Results of process 0 take longer than those of the others: a follower that failed ends all at once.
  if (!meet(status != 0 ? 5s : for_ever)) MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Finalize();
  return status;
}

}  // namespace curlew::ie
