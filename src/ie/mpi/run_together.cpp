// SPDX-License-Identifier: BSD-3-Clause
#include "ie/mpi/run_together.hpp"

#include <mpi.h>

#include <chrono>
#include <thread>

#include "base/blas_kernels.hpp"
#include "base/first_process.hpp"
#include "ie/operator/process_group.hpp"
#include "linalg/direct/mumps.hpp"
#include "linalg/mpi/cores.hpp"
#include "linalg/mpi/follower.hpp"
#include "linalg/mpi/mpi_group.hpp"

namespace curlew::ie {
namespace {

/// Waits until all processes are here; ends all if one stays away.
void meet_or_end(int status) {
  using namespace std::chrono_literals;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (auto waited = 0ms; waited < 5000ms; waited += 10ms) {
    int arrived = 0;
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    if (arrived != 0) return;
    std::this_thread::sleep_for(10ms);
  }
  MPI_Abort(MPI_COMM_WORLD, status);
}

}  // namespace

int run_together(int argc, char** argv, int (*program)(int, char**)) {
  restart_with_better_blas_kernels(argv);
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  const linalg::MpiGroup group;
  process_group() = &group;
  first_process_decides = [](bool own) {
    process_group()->broadcast(&own, sizeof own);
    return own;
  };
  linalg::share_cores();
  linalg::mumps_group().own_communicator = MPI_Comm_c2f(MPI_COMM_SELF);  // factors are each process's own
  const int status = group.rank() == 0 ? program(argc, argv)
                                       : linalg::run_follower(argc, argv, program, "ie-solve", group.rank());
  // Results of process 0 take longer than those of the others: a follower that failed ends all at once.
  if (status != 0)
    meet_or_end(status);
  else
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}

}  // namespace curlew::ie
