// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/launch.hpp"

#include <malloc.h>
#include <mpi.h>
#include <zmumps_c.h>

#include <algorithm>
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
#include "linalg/mpi/mpi_group.hpp"

namespace curlew::linalg {
namespace {

using namespace std::chrono_literals;
constexpr auto for_ever = std::chrono::milliseconds::max();
/// The program of process 0 has ended.
struct ProgramEnds {};

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

class EqualGroup final : public MpiGroup {
 public:
  /// Input and results are the same for all, but memory and disk may differ. All processes end a part
  /// together, except for the time in which process 0 writes.
  void meet(int status) const override {
    const bool may_be_alone = status == exit_resource || (status != 0 && rank() == 0);
    if (linalg::meet(may_be_alone ? 20s : for_ever)) return;
    log::error("an error on one process ends all of them");
    MPI_Abort(MPI_COMM_WORLD, status);
  }
};

/// Sleeps between checks: while process 0 works alone, its threads need the cores.
GroupStep next_step() {
  GroupStep step;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&step, sizeof step, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  for (int arrived = 0;;) {
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    if (arrived != 0) return step;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Process 0 runs the program to its end and announces the work that the others do with it.
class LedGroup final : public MpiGroup {
 public:
  /// @param most largest number of processes on one machine @param together whether all begin the program
  LedGroup(const ParallelProgram& program, int most, bool together)
      : program_(program), most_(most), is_together_(together) {}

  bool decide(bool own) const override { return own; }  // the others serve process 0 in any case
  int most_on_a_machine() const override { return most_; }
  bool is_together() const override { return is_together_; }
  void part() const override { is_together_ = false; }
  void announce(const GroupStep& step) const override {
    GroupStep sent = step;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(&sent, sizeof sent, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  bool follow(const std::function<Taken(const GroupStep&)>& takes) const override {
    for (;;) {
      if (has_left_) return false;
      const GroupStep step = next_step();
      has_left_ = step.is<ProgramEnds>();
      if (has_left_) return false;
      if (program_.takes && program_.takes(*this, step)) continue;
      const auto taken = takes(step);
      if (taken == Taken::last) return true;
      if (taken == Taken::yes) continue;
      const auto call = step.as<MumpsCall>();
      if (!call) cannot_follow();
      call_mumps(*call);
    }
  }

 private:
  /// MUMPS gets matrix, options and right-hand sides from process 0: the others only join each call.
  void call_mumps(const MumpsCall& call) const {
    const bool is_known = instances_.count(call.instance) > 0;
    if (call.job == MumpsCall::end && !is_known) return;  // this process had it in its program, and ended it
    if (call.job != MumpsCall::start && !is_known) cannot_follow();
    ZMUMPS_STRUC_C& id = instances_[call.instance];
    if (call.job == MumpsCall::start) {
      id.par = 1;
      id.sym = call.is_symmetric ? 2 : 0;
      id.comm_fortran = communicator();
    }
    id.job = call.job;
    zmumps_c(&id);
    if (call.job == MumpsCall::start) std::fill_n(id.icntl, 3, -1);  // process 0 reports errors
    if (call.job == MumpsCall::end) instances_.erase(call.instance);
  }
  /// Ends this process where its program has ended or does not match the step of process 0.
  [[noreturn]] void cannot_follow() const {
    const std::string told = log::muted_errors();
    fmt::print(stderr, "{}: process {} cannot continue: {}\n", program_.name, rank(),
               told.empty() ? "it is not at the same step as process 0" : told);
    MPI_Abort(MPI_COMM_WORLD, exit_resource);
    std::abort();
  }

  const ParallelProgram& program_;
  int most_;
  mutable std::map<int, ZMUMPS_STRUC_C> instances_;
  mutable bool is_together_, has_left_ = false;
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

int run_led(int argc, char** argv, const ParallelProgram& program, int on_one_machine) {
  const LedGroup processes(program, on_one_machine, is_one_run(argc, argv));
  if (processes.rank() == 0) {
    const int status = program.run(argc, argv, &processes);
    processes.announce(ProgramEnds{});
    return status;
  }
  // Ctrl-C and mpirun's SIGTERM are handled by process 0, which ends in order and then ends the others.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  log::mute();
  if (processes.is_together()) program.run(argc, argv, &processes);
  processes.follow([](const GroupStep&) { return ProcessGroup::Taken::no; });
  return 0;
}

int run_equal(int argc, char** argv, const ParallelProgram& program) {
  const EqualGroup processes;
  const int status = program.run(argc, argv, &processes);
  // Process 0 may write for long: the others wait without limit, but one that failed ends all after 5 s.
  if (!meet(status != 0 ? 5s : for_ever)) MPI_Abort(MPI_COMM_WORLD, status);
  return status;
}

}  // namespace

int run_on_all_processes(int argc, char** argv, const ParallelProgram& program) {
  restart_with_right_settings(argv);
  if (program.design == Design::led) give_back_large_arrays();
  // Where cores are shared, Open MPI's spinning takes the time of the process that it waits for.
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  int provided = 0, size = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int here = share_cores();
  int most = here;
  MPI_Allreduce(&here, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  own_communicator() = MPI_Comm_c2f(MPI_COMM_SELF);
  const int status = size == 1                         ? program.run(argc, argv, nullptr)
                     : program.design == Design::equal ? run_equal(argc, argv, program)
                                                       : run_led(argc, argv, program, most);
  MPI_Finalize();
  return status;
}

}  // namespace curlew::linalg
