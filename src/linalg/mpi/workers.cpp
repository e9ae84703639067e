// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/workers.hpp"

#include <malloc.h>
#include <mpi.h>
#include <zmumps_c.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <thread>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/restart.hpp"
#include "linalg/direct/mumps.hpp"
#include "linalg/mpi/cores.hpp"
#include "linalg/mpi/follower.hpp"
#include "linalg/mpi/mpi_group.hpp"

namespace curlew::linalg {
namespace {

using Message = std::array<int, 3>;  // a GroupStep

/// Sleeps between checks: while process 0 works alone, its threads need the cores.
GroupStep next_step() {
  Message message{};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(message.data(), int(message.size()), MPI_INT, 0, MPI_COMM_WORLD, &request);
  for (int arrived = 0;;) {
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    if (arrived != 0) return {message[0], message[1], message[2]};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void announce(const GroupStep& step) {
  Message message{step.job, step.instance, step.detail};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(message.data(), int(message.size()), MPI_INT, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// Work of the processes other than 0.
class Follower {
 public:
  explicit Follower(const ParallelProgram& program) : program_(program) {}

  /// As MumpsGroup::follow.
  bool follow(const std::function<MumpsGroup::Taken(const GroupStep&)>& takes) {
    for (;;) {
      if (has_left_) return false;
      const GroupStep step = next_step();
      has_left_ = step.job == step_leave;
      if (has_left_) return false;
      if (program_.takes && program_.takes(step)) continue;
      const auto taken = takes(step);
      if (taken == MumpsGroup::Taken::last) return true;
      if (taken == MumpsGroup::Taken::no) call_mumps(step);
    }
  }

 private:
  /// MUMPS gets matrix, options and right-hand sides from process 0: the others only join each call.
  void call_mumps(const GroupStep& step) {
    if (step.job > step_leave && instances_.count(step.instance) == 0) cannot_follow();
    ZMUMPS_STRUC_C& id = instances_[step.instance];
    if (step.job == mumps_start) {
      id.par = 1;
      id.sym = step.detail != 0 ? 2 : 0;
      id.comm_fortran = MPI_Comm_c2f(MPI_COMM_WORLD);
    }
    id.job = step.job;
    zmumps_c(&id);
    if (step.job == mumps_start) std::fill_n(id.icntl, 3, -1);  // process 0 reports errors
    if (step.job == mumps_end) instances_.erase(step.instance);
  }
  /// Ends this process where its program has ended or does not match the step of process 0.
  [[noreturn]] void cannot_follow() const {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::string told = log::muted_errors();
    fmt::print(stderr, "{}: process {} cannot continue: {}\n", program_.name, rank,
               told.empty() ? "it is not at the same step as process 0" : told);
    MPI_Abort(MPI_COMM_WORLD, exit_resource);
    std::abort();
  }

  const ParallelProgram& program_;
  std::map<int, ZMUMPS_STRUC_C> instances_;
  bool has_left_ = false;
};

/// Returns large arrays to the system when they are freed. By default glibc raises the size from which it
/// does so to that of the largest array freed so far, up to 32 MB, and memory freed after set-up stays
/// allocated: 20 of 160 MB in each of eight processes.
void give_back_large_arrays() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
}

/// Whether the processes run the program together.
bool is_one_run(int argc, char** argv) {
  return std::none_of(argv, argv + argc, [](const char* word) {
    const std::string_view text(word);
    return text.starts_with("--sweep") || text.starts_with("--array") || text.starts_with("--join");
  });
}

}  // namespace

int run_on_all_processes(int argc, char** argv, const ParallelProgram& program) {
  restart_with_right_settings(argv);
  give_back_large_arrays();
  int provided = 0, rank = 0, size = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int here = share_cores();
  int most = here;
  MPI_Allreduce(&here, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  const MpiGroup processes;
  MumpsGroup& group = mumps_group();
  group.own_communicator = MPI_Comm_c2f(MPI_COMM_SELF);
  group.communicator = MPI_Comm_c2f(MPI_COMM_WORLD);
  group.size = size;
  group.on_one_machine = most;
  group.processes = &processes;
  group.assembles = is_one_run(argc, argv);
  int status = 0;
  if (rank == 0) {
    group.announce = announce;
    status = program.run(argc, argv);
    announce({step_leave, 0, 0});
  } else {
    // Ctrl-C and mpirun's SIGTERM are handled by process 0, which ends in order and then ends the others.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
    Follower follower(program);
    group.follow = [&](const auto& takes) { return follower.follow(takes); };
    log::mute();
    if (group.assembles) run_follower(argc, argv, program.run, program.name, rank);
    follower.follow([](const GroupStep&) { return MumpsGroup::Taken::no; });
  }
  MPI_Finalize();
  return status;
}

}  // namespace curlew::linalg
