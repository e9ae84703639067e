// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/workers.hpp"

#include <mpi.h>
#include <zmumps_c.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <map>
#include <thread>

#include "linalg/direct/mumps.hpp"
#include "linalg/mpi/cores.hpp"

namespace curlew::linalg {
namespace {

using Call = std::array<int, 3>;  // instance, job, symmetric
constexpr int leave = 0;          // the job that ends a worker; MUMPS has none of this number

/// Waits asleep: while the first process assembles, its threads need the cores.
Call next_call() {
  Call call{};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(call.data(), int(call.size()), MPI_INT, 0, MPI_COMM_WORLD, &request);
  for (int arrived = 0;;) {
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    if (arrived != 0) return call;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void announce(int instance, int job, bool symmetric) {
  Call call{instance, job, int(symmetric)};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(call.data(), int(call.size()), MPI_INT, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// MUMPS takes matrix, options and right-hand sides from process 0: the others only join each call.
void serve() {
  std::map<int, ZMUMPS_STRUC_C> instances;
  for (;;) {
    const auto [instance, job, symmetric] = next_call();
    if (job == leave) return;
    ZMUMPS_STRUC_C& id = instances[instance];
    if (job == mumps_start) {
      id.par = 1;
      id.sym = symmetric != 0 ? 2 : 0;
      id.comm_fortran = MPI_Comm_c2f(MPI_COMM_WORLD);
    }
    id.job = job;
    zmumps_c(&id);
    if (job == mumps_start) std::fill_n(id.icntl, 3, -1);  // errors are told by process 0
    if (job == mumps_end) instances.erase(instance);
  }
}

}  // namespace

int run_on_all_processes(int argc, char** argv, int (*program)(int, char**)) {
  int provided = 0, rank = 0, size = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int here = share_cores();
  int most = here;
  MPI_Allreduce(&here, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  int status = 0;
  if (rank == 0) {
    mumps_group() = {MPI_Comm_c2f(MPI_COMM_SELF), MPI_Comm_c2f(MPI_COMM_WORLD), size, most, announce};
    status = program(argc, argv);
    announce(0, leave, false);
  } else {
    // Ctrl-C and mpirun's SIGTERM are for process 0, which ends in order and then calls the others off.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
    serve();
  }
  MPI_Finalize();
  return status;
}

}  // namespace curlew::linalg
