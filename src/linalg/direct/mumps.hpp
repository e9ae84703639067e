// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// MUMPS behind DirectSolver: LDL^T of symmetric and LU of other matrices, threaded by the BLAS, and in an MPI
// run on all its processes. Source: P. Amestoy, I. Duff, J.-Y. L'Excellent, J. Koster, SIAM J. Matrix Anal.
// Appl. 23 (2001) 15; MUMPS 5.5.1 Users' Guide for the control parameters named in the comments.

#include <exception>
#include <memory>

#include "base/process_group.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {

// Steps that process 0 announces (base/process_group.hpp).

/// A call of MUMPS by a solver of all processes.
struct MumpsCall {
  static constexpr int start = -1, end = -2;  ///< jobs that make and end an instance
  int job, instance;
  bool is_symmetric;
};
/// A system with a distributed matrix begins.
struct SystemBegins {};

/// Thrown on a process to end its program after that of process 0 has ended.
struct LeaderEnded : std::exception {
  const char* what() const noexcept override { return "process 0 has ended"; }
};

/// Fortran handle of MPI_COMM_SELF, a constant of the MPI library: for MUMPS of this process alone. Set by
/// programs with MPI; sequential MUMPS takes any.
int& own_communicator();

/// On other processes: waits for a step of process 0.
/// @throws LeaderEnded if the program of process 0 ends instead
template <class Step>
void await_step(const ProcessGroup& processes) {
  const auto takes = [](const GroupStep& step) {
    return step.is<Step>() ? ProcessGroup::Taken::last : ProcessGroup::Taken::no;
  };
  if (!processes.follow(takes)) throw LeaderEnded();
}

/// T is Complex or double. @throws ResourceError if this build lacks MUMPS
template <class T>
std::unique_ptr<DirectSolver<T>> make_mumps(const DirectOptions& options);
/// The same on all of options.processes; right-hand sides and solutions are on this one.
/// @throws InputError for factors of MKL and several processes
std::unique_ptr<DirectSolver<Complex>> make_mumps_of_group(const DirectOptions& options);

/// MUMPS with a distributed matrix: analyse and factor get the rows of this process, with empty rows of
/// others; entries of the same position are added. Of a symmetric matrix only the lower triangle is stored.
/// Right-hand sides and solutions are on process 0, whose calls the others join.
class SharedMumps : public DirectSolver<Complex> {
 public:
  /// A step of process 0 for this solver. @param own the rows of this process
  virtual void join(int job, const Csr<Complex>& own) = 0;
  virtual int instance() const = 0;
};
/// Called by all of options.processes; the next step must begin an instance.
/// @throws LeaderEnded, InputError as make_mumps_of_group
std::unique_ptr<SharedMumps> make_shared_mumps(const DirectOptions& options);
/// The same within a step that all processes take: each of them makes it, calls analyse, factor and solve,
/// and destroys it, at the same points, without announcements. solve reads and writes x on process 0 only.
/// Memory and values are not checked, since a single process would then throw.
std::unique_ptr<SharedMumps> make_joint_mumps(const DirectOptions& options);

}  // namespace curlew::linalg
